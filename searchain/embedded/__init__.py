"""Load what the data packages hold: files checked against their hashes, base weights, and the adapters to them.

Imports ``files`` and the values. ``llm``, ``retrieval``, ``reading``, ``setup`` and ``training`` import it.
"""
