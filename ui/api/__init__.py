"""The assistant for programs: OpenAI's chat completions, and two endpoints for ``gradio_client``.

Imports ``server`` and ``assistant``. ``page`` serves it.
"""
