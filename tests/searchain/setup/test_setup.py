"""The real steps, on a machine that ``make test`` has prepared before."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_a_prepared_machine_is_ready_at_once_without_torch():
    script = (
        "import sys; from searchain.setup.__main__ import main; status = main(); "
        "print(status, *sorted({'torch', 'transformers', 'colbert'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-m", "searchain.setup"], cwd=ROOT, check=True)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
