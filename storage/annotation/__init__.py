"""The annotation desk: who judges what, what they said, and what was decided; primary data, never rebuilt."""
