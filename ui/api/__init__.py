"""Interfaces of the assistant for programs: OpenAI's chat completions, MCP, and endpoints for ``gradio_client``.

Imports ``server`` and ``assistant``. ``page`` serves it.
"""
