"""Language models with replies that are written beforehand, in this process or behind a server."""
