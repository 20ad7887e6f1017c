"""The annotation desk in the browser: its own pages without Gradio, and the report.

Imports ``exports``, ``server``, ``storage`` and ``searchain.annotation``. ``page`` serves it; ``cli`` prints
its report.
"""
