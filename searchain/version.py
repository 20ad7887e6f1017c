"""The version of the program; lab/pyproject.toml asks for exactly this one."""

VERSION = "0.2.0"
