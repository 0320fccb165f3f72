"""Reports in words: pure functions from what was found to lines of text."""
