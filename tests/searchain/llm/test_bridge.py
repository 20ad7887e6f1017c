"""One loop for all threads, whoever comes first."""

import subprocess
import sys

FIRST_CALLS = """
import sys, threading
sys.setswitchinterval(1e-6)
from searchain.llm import bridge
start, loops = threading.Barrier(16), []
def call():
    start.wait()
    loops.append(bridge.loop())
threads = [threading.Thread(target=call) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(loops) == 16 and len(set(map(id, loops))) == 1, len(set(map(id, loops)))
"""


def test_the_first_calls_of_many_threads_get_the_same_loop():
    for _ in range(3):
        subprocess.run([sys.executable, "-c", FIRST_CALLS], check=True, timeout=60)
