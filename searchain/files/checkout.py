"""Tell whether the program runs from a checkout or was installed with pip, and name its set-up commands.

Standard library only, because set-up runs before anything is installed.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout, or the folder that pip installed the packages into."""
IS_CHECKOUT = (ROOT / "Makefile").is_file()
SET_UP = "make setup" if IS_CHECKOUT else "searchain setup"
REPAIR = "make repair" if IS_CHECKOUT else "searchain setup --repair"
