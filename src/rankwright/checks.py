"""Checks anyone may run on a ranker or measure of their own."""
