"""Language models behind one method, ``stream``."""
