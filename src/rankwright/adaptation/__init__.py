"""Adapting rankers across domains: target weights, and every way of using them and a few target labels."""
