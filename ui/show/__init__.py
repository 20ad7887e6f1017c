"""A turn in words and pictures for people: labels of states, tree order, terminal lines, SVG.

Imports ``searchain``'s values and ``storage.history``. Every room of ``ui`` may import it.
"""
