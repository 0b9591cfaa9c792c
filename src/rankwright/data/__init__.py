"""Data: one type, many doors."""

from rankwright.data.dataset import Dataset
from rankwright.data.letor import read_comments, read_letor
from rankwright.data.letor_write import write_letor

__all__ = ["Dataset", "read_comments", "read_letor", "write_letor"]
