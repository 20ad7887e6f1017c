"""Access to the server: identity, limits, sign-in, and the guard that applies the rules of all routes."""
