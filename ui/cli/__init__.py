"""The command line: one module per command or group, imported when the command is used."""
