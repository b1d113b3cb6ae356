"""The performance figures of feedrate: `make bench`. Ratios, each from one interleaved run."""

import sys
from pathlib import Path

# What pytest does for the tests by its setting `pythonpath`.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
