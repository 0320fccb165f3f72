"""One module for each command. Each imports what is slow inside the function that needs it."""
