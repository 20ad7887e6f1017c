"""Write docs/schema.md and docs/datasette.json: ``python -m lab.schema``."""

from lab.schema.page import main

if __name__ == "__main__":
    main()
