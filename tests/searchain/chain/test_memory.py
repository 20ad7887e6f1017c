"""Memory is given back where the C library can."""

import ctypes.util
import gc
import os

import pytest

from searchain.chain import memory


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
@pytest.mark.skipif(ctypes.util.find_library("c") is None, reason="no C library")
def test_what_was_freed_goes_back():
    def resident() -> int:
        return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    kept = [bytearray(60_000) for _ in range(2_000)]  # below the size that is mapped apart
    last = bytearray(60_000)  # keeps the end of the heap in use
    before = resident()
    del kept
    memory.give_back()
    assert before - resident() > 60_000_000
    assert last


def test_another_c_library_keeps_what_it_has(monkeypatch):
    def missing(name):
        raise OSError(name)

    monkeypatch.setattr(memory.ctypes, "CDLL", missing)
    memory.give_back()
    memory.share_arenas()


def test_no_garbage_is_looked_for_while_models_load_nor_later_in_what_stays():
    before = gc.get_freeze_count()
    with memory.uncollected():
        assert not gc.isenabled()
    assert (gc.isenabled(), gc.get_freeze_count()) == (True, before)  # what loading leaves behind is collected later
    before = gc.get_freeze_count()
    memory.keep_loaded()
    assert gc.get_freeze_count() > before
    gc.unfreeze()
