"""The user interfaces: the chat page (Gradio around pure functions to escaped HTML), the desk, APIs and commands."""
