"""Own documents: collections with owners and members, their documents as bytes and texts, and who may see them.

``access.allowed`` is the only door to the index of a collection.
"""
