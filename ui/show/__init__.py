"""Shows a turn to people in words and pictures: labels of states, tree order, terminal lines, SVG.

Imports ``storage.history``, ``searchain.language``, ``searchain.reply`` and the values. Every room of ``ui`` may import
it.
"""
