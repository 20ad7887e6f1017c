"""The annotation desk in the browser: its own pages without Gradio, and the report."""
