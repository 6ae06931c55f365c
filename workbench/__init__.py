"""What people touch: the command line, the players (people and bots) and the board on the terminal."""
