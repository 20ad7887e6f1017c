"""Files on disk: where they live (``$SEARCHAIN_HOME``), written whole or not at all, JSON Lines read line by line."""
