"""docs/schema.md, made from a fresh database: ``python -m lab.schema``."""
