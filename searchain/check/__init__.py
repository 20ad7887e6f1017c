"""Check any text: each sentence that claims something is looked up and held against what is found.

A text becomes sentences without their citations (``claims``). A trained head leaves out those that claim nothing, such
as greetings. Each claim is looked up by itself, one whose subject is a pronoun together with the sentence before it,
and judged against the nearest passages, or against those that it cites (``judging``): ``quoted``, ``supported``,
``partly``, ``contradicted``, ``unsupported`` by what it cites, or ``absent``. Where a passage gives another value in
the place of a number, a date or a name, both are shown. A check is a run (``checker``): its events are
those of a reply, so it is stored, stopped, exported and judged as one.
"""

SYSTEM = "check"
"""The name of the method, as stored with the run of a checked text."""
