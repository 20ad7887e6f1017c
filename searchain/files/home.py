"""Find the folder of models, indexes and the default database: ``$SEARCHAIN_HOME``, else the user data folder."""

import os
from pathlib import Path

from platformdirs import user_data_path


def home() -> Path:
    """Return the folder, as an absolute path; it may not exist yet."""
    named = os.environ.get("SEARCHAIN_HOME")
    return Path(named).expanduser().resolve() if named else user_data_path("searchain", appauthor=False)
