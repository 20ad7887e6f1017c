"""The command line: one module per command or group, imported when the command is used.

Imports everything. Nothing imports it but ``assistant.py`` when it is run.
"""
