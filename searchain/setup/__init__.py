"""Set-up of a machine: ``python -m searchain.setup`` prepares models and index.

``lab.install``, which makes ``.venv``, imports ``pip`` and ``progress`` before any package is there.
"""
