"""Find passages for a query by one method, ``Retriever.search``: in ColBERT indexes here or through a remote server."""
