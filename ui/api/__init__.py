"""Interfaces of the assistant for programs: OpenAI's API and MCP.

Imports ``server`` and ``assistant``. ``page`` serves it.
"""
