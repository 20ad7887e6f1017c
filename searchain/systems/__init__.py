"""The methods that are compared, all behind one interface: a stream of events from a question."""
