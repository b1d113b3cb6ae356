"""The performance figures of feedrate: `make bench`. Ratios, each from one interleaved run."""

import sys

from tests.workflow.project import ROOT

# What pytest does for the tests by its setting `pythonpath`.
sys.path.insert(0, str(ROOT / "scripts"))
