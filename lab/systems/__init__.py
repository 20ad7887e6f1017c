"""The methods that are compared, behind one interface: a stream of events from a question. One file per method.

Imports the rooms of the method and ``pipeline``. ``evaluation`` and the command line import it.
"""
