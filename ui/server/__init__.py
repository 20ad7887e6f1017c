"""Access to the server: identity, limits, sign-in, and the guard that applies the rules of all routes.

Imports ``storage`` and ``searchain``'s values. ``api``, ``desk``, ``page`` and ``cli`` import it.
"""
