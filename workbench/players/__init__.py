"""Players that know no game: from the first option to a search through what could be."""
