"""Exports of finished turns and labels: one module per format, each of which escapes text for its format."""
