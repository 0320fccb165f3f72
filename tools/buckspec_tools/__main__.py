"""`python -m buckspec_tools` is `buckspec`."""

from buckspec_tools.cli import main

if __name__ == "__main__":
    main()
