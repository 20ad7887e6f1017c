"""Collections of a user's own documents: owners, members, original bytes and parsed texts.

Only ``access.allowed`` gives access to the index of a collection.
"""
