"""What comes with the packages: files checked against their sums, base weights, and the adapters on top of them.

Imports ``files`` and the values. ``llm``, ``retrieval``, ``reading``, ``setup`` and ``training`` import it.
"""
