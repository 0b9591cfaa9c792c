def demo() -> None:
    """X"""
