"""One function decides who may search which collection."""

import pytest

from searchain.errors import NotFound, SendingRefused, UsageError
from storage.collections import access
from storage.collections.access import Elsewhere, Role


def test_everyone_sees_what_is_theirs_shared_or_public(store):
    mine, public = access.create(store, "ann", "mine"), access.create(store, "ann", "public")
    shared = access.create(store, "ann", "shared")
    access.share(store, shared, "bob", Role.EDITOR)
    access.publish(store, public, True)
    assert access.allowed(store, "ann") == {mine.index, public.index, shared.index}
    assert access.allowed(store, "bob") == {public.index, shared.index}
    assert access.allowed(store, "eve") == {public.index}
    assert access.allowed(store, "") == {public.index}
    assert [(c.name, c.role) for c in access.every(store, "bob")] == [("public", Role.READER), ("shared", Role.EDITOR)]
    access.share(store, shared, "bob", None)
    access.publish(store, public, False)
    assert access.allowed(store, "bob") == access.allowed(store, "eve") == frozenset()


def test_what_is_forbidden_is_told_like_what_is_not_there(store):
    secret = access.create(store, "ann", "secret")
    said = []
    for name in (secret.id, "secret", "01JUNKJUNKJUNKJUNKJUNKJUNK"):
        with pytest.raises(NotFound) as caught:
            access.named(store, "eve", name)
        said.append(str(caught.value).replace(repr(name), "it"))
    assert len(set(said)) == 1
    with pytest.raises(NotFound):
        access.check(store, "eve", f"default+{secret.index}")
    assert access.check(store, "ann", f"default+{secret.index}") == ["secret"]
    assert access.check(store, "eve", "default") == []


def test_a_reader_searches_and_an_editor_changes(store):
    shared = access.create(store, "ann", "shared")
    access.share(store, shared, "bob", Role.READER)
    with pytest.raises(UsageError, match="ask its owner to make you editor"):
        access.named(store, "bob", "shared", Role.EDITOR)
    access.share(store, shared, "bob", Role.EDITOR)
    assert access.named(store, "bob", "shared", Role.EDITOR).id == shared.id
    with pytest.raises(UsageError, match="owner"):
        access.named(store, "bob", "shared", Role.OWNER)


def test_what_may_be_sent_to_a_model_elsewhere_is_decided_for_each_collection(store):
    one, other = access.create(store, "ann", "one"), access.create(store, "ann", "other")
    assert (one.elsewhere, other.elsewhere) == (Elsewhere.UNKNOWN, Elsewhere.UNKNOWN)
    access.decide(store, one, Elsewhere.ALLOWED)
    assert [found.elsewhere for found in access.every(store, "ann")] == [Elsewhere.ALLOWED, Elsewhere.UNKNOWN]
    assert access.check(store, "ann", f"default+{one.index}", "model.example") == ["one"]
    both = access.joined([one, other])
    assert access.check(store, "ann", both) == ["one", "other"]
    for elsewhere in (Elsewhere.UNKNOWN, Elsewhere.REFUSED):
        access.decide(store, other, elsewhere)
        with pytest.raises(SendingRefused, match="'other' does not allow .* the model at model.example; "):
            access.check(store, "ann", both, "model.example")
    with pytest.raises(NotFound):
        access.check(store, "eve", both, "model.example")


def test_an_own_collection_goes_before_others_of_its_name(store):
    theirs = access.create(store, "ann", "papers")
    access.share(store, theirs, "bob", Role.READER)
    assert access.named(store, "bob", "papers").id == theirs.id
    own = access.create(store, "bob", "papers")
    assert access.named(store, "bob", "papers").id == own.id
    with pytest.raises(UsageError, match="already"):
        access.create(store, "bob", "papers")
    for number, owner in enumerate(("cyd", "dan")):
        access.share(store, access.create(store, owner, "notes"), "bob", Role.READER)
        if number:
            with pytest.raises(UsageError, match="several collections are called 'notes'"):
                access.named(store, "bob", "notes")


@pytest.mark.parametrize("name", ["", "  ", "a/b", "a+b", "x" * 81, "a\0b"])
def test_a_bad_name_is_wrong_use(store, name):
    with pytest.raises(UsageError, match="cannot be the name of a collection"):
        access.create(store, "ann", name)
