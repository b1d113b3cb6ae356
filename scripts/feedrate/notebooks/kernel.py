"""One Jupyter kernel for some code cells. Slow to import: import it only where one must run."""

import json
import tempfile
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from feedrate.notebooks.keys import CodeCell
from feedrate.notebooks.results import DECLARED

# A busy machine needs more than the usual minute.
_STARTUP_SECONDS = 300
_PLAIN_TRACEBACKS = ["--InteractiveShell.xmode=Plain", "--InteractiveShell.colors=nocolor"]


class CodeCellError(Exception):
    """A code cell raised an exception, or its kernel died; the text says what happened."""


class _ThisPython(KernelSpecManager):
    """Kernels of the running interpreter; a registered kernel may be absent, or another Python."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(**get_kernel_dict())


def run_cells(
    cells: Sequence[CodeCell], folder: Path, environment: Mapping[str, str]
) -> Generator[list[dict[str, Any]], None, None]:
    """Run `cells` in one new kernel in `folder`; yields the outputs of each, without counters.

    Raises CodeCellError. Close the generator to end the kernel before the last cell.
    """
    notebook = new_notebook(cells=[part for cell in cells for part in _with_declaration(cell)])
    manager = AsyncKernelManager(kernel_spec_manager=_ThisPython(), transport_encryption="required")
    client = NotebookClient(
        notebook,
        km=manager,
        extra_arguments=_PLAIN_TRACEBACKS,
        startup_timeout=_STARTUP_SECONDS,
    )
    # The user's own IPython profile must not reach the report.
    with (
        tempfile.TemporaryDirectory() as profile,
        client.setup_kernel(
            cwd=str(folder), env={**environment, "IPYTHONDIR": profile}, cleanup_kc=True
        ),
    ):
        for index, cell in enumerate(notebook.cells):
            declares = index % 2 == 0
            try:
                client.execute_cell(cell, index, store_history=not declares)
            except CellExecutionError as error:
                raise CodeCellError(f"{error.ename}: {error.evalue}\n{_log(cell)}") from error
            except DeadKernelError as error:
                raise CodeCellError("the kernel died; is there enough memory?") from error
            if not declares:
                yield _outputs(cell)


def _with_declaration(cell: CodeCell) -> tuple[NotebookNode, NotebookNode]:
    """The code cell, after one that tells the kernel which files it may read."""
    declared = json.dumps(cell.data)
    return new_code_cell(f"__import__('os').environ[{DECLARED!r}] = {declared!r}"), new_code_cell(
        cell.source
    )


def _log(cell: NotebookNode) -> str:
    """What a failed code cell wrote, and where in it the failure is."""
    return "\n".join(
        text
        for output in cell.outputs
        for text in output.get("traceback", [output.get("text", "")])
    )


def _outputs(cell: NotebookNode) -> list[dict[str, Any]]:
    outputs: list[dict[str, Any]] = json.loads(json.dumps(cell.outputs))
    return [
        output | ({"execution_count": None} if "execution_count" in output else {})
        for output in outputs
    ]
