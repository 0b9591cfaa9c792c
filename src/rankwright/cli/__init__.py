"""The command `rankwright`."""
