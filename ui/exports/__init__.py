"""Finished turns and labels as files: one module per format, each escaping for its target.

Imports ``show``, ``storage`` and ``searchain``'s values. ``page``, ``desk`` and ``cli`` import it.
"""
