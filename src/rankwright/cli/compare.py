def compare() -> None:
    """X"""
