"""One file for each framework: plays random games when it is told to, in a process of its own."""
