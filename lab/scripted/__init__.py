"""Language models whose replies are written beforehand, for tests and benchmarks: in this process, or behind a server."""
