"""Print the performance figures, one line each, on an otherwise idle machine."""

import sys
import tempfile
from pathlib import Path

from tests.workflow.project import ROOT, copy_project

sys.path.insert(0, str(ROOT / "scripts"))


def main() -> None:
    from feedrate.dataset.registry import FASHION_MNIST
    from tests.bench import fidelity, pipeline

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        finished = copy_project(folder / "finished")
        first = finished.run()
        assert first.status == 0, first.output
        print(pipeline.idle(finished, folder / "bare"), flush=True)
        print(pipeline.prose_edit(finished), flush=True)
        print(pipeline.many_cells(folder / "many"), flush=True)
        print(pipeline.overhead(folder / "overhead"), flush=True)
        for line in fidelity.report(ROOT / "data" / FASHION_MNIST.folder_name):
            print(line, flush=True)


if __name__ == "__main__":
    main()
