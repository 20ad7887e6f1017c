from searchain.systems.base import SYSTEMS
from ui.show.methods import FIRST, METHODS, method


def test_every_method_is_told_in_plain_words():
    assert set(METHODS) == set(SYSTEMS) > set(FIRST)
    assert len(set(METHODS.values())) == len(METHODS)
    assert (method("direct-retrieval"), method("somebody-elses")) == ("Look the question up once", "somebody-elses")
