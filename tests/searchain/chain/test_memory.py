"""Memory is given back where the C library can."""

import ctypes.util
import os
import subprocess
import sys

import pytest

from searchain.chain import memory

COUNT = """
import ctypes, sys, threading
from searchain.chain.memory import share_arenas

if sys.argv[1] == "few":
    share_arenas()
all_there, kept = threading.Barrier(9), []

def work():
    kept.append(bytearray(60_000))
    all_there.wait()

threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
all_there.wait()
ctypes.CDLL("libc.so.6").malloc_info(0, ctypes.c_void_p.in_dll(ctypes.CDLL("libc.so.6"), "stdout"))
"""


def test_giving_back_twice_does_no_harm():
    memory.give_back()
    memory.give_back()


def test_another_c_library_keeps_what_it_has(monkeypatch):
    def missing(name):
        raise OSError(name)

    memory._trim.cache_clear()
    monkeypatch.setattr(memory.ctypes, "CDLL", missing)
    memory.give_back()
    memory.share_arenas()
    memory._trim.cache_clear()


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


@pytest.mark.skipif(ctypes.util.find_library("c") is None, reason="no C library")
def test_threads_share_a_few_places():
    def arenas(which: str) -> int:
        told = subprocess.run([sys.executable, "-c", COUNT, which], capture_output=True, text=True, check=True)
        return told.stdout.count("<heap ")

    assert arenas("few") <= memory.ARENAS < arenas("all")
