"""The annotation desk in the browser: pages of their own without Gradio, and the report.

Imports ``exports``, ``server``, ``storage`` and ``searchain.annotation``. ``page`` serves it;
``cli`` prints its report.
"""
