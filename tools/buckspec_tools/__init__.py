"""What people run: the command line of buckspec, and the reports that it prints."""
