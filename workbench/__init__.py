"""What people touch: the command line, the players (people and bots), the board, the reports and the pages."""

__version__ = "0.4.0"  # the one place: the wheel takes it from here
