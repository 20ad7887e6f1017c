"""How the committed weights were made."""
