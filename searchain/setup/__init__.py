"""Set-up of a machine: ``python -m searchain.setup`` prepares models and index, ``install`` makes ``.venv``.

Imports ``embedded``, ``files``, ``retrieval``. The command line imports it. ``install`` runs before any package is
there.
"""
