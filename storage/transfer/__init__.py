"""Exports conversations and imports them again without loss."""
