"""Interfaces of the assistant for programs: OpenAI's API and MCP."""
