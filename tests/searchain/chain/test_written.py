"""Taking apart what a model that has seen passages wrote."""

from searchain.chain.written import read


def test_a_reply_that_is_written_twice_stands_once():
    said = "The chair was Ann [k12]."
    twice = f"[Answer]: Ann\n[Final Content]: {said}\n\n[Final Content]: "
    assert read(twice + said).content == said
    assert read(f"{twice}She left [k13].").content.split() == f"{said} She left [k13].".split()
