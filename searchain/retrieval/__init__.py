"""Passages for a query behind one method, ``Retriever.search``: ColBERT indexes on this machine, or a remote server.

Imports ``embedded``, ``files``, ``language`` and the values. Method code imports ``retrieval.base`` only.
"""
