"""Set-up of a machine: ``python -m searchain.setup`` prepares models and index.

Imports ``embedded``, ``files``, ``retrieval``. The command line imports it. ``lab.install``, which makes ``.venv``,
imports ``pip`` and ``progress`` before any package is there.
"""
