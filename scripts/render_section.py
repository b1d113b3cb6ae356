"""Render one section of the report: execute its stale cells and fill numbers into its prose.

Reads a section, a percent-format script such as report/sections/02_workers.py, and writes it as
an executed notebook. A cell is executed only if its code, its data, an earlier cell that it
needs, a module that it imports or a package version changed; editing prose executes nothing.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from feedrate.files import write_atomically
from feedrate.notebooks.execution import Project, execute_section, split_noise
from feedrate.notebooks.prose import facts_of, fill_in
from feedrate.notebooks.provenance import provenance
from feedrate.notebooks.section import SectionError, as_notebook, read_section, with_prose_of
from feedrate.page.messages import ENGLISH, MessageError, Messages, read_messages

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str]) -> int:
    """The exit status: 0 if the notebook is written, 1 with the reason if not."""
    options = parse(arguments)
    try:
        messages = read_messages(options.messages, options.language)
        render(options.section, options.results, messages, options.output)
    except (SectionError, MessageError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def render(path: Path, results: Path, messages: Messages, output: Path) -> None:
    """Write the section in `path`, executed over `results`, to `output`; log to stderr.

    Its prose is in the language of `messages` if it has been translated.
    """
    section, language = read_section(path), ENGLISH
    translation = path.parent / messages.language / path.name
    if translation.is_file():
        section = with_prose_of(section, read_section(translation))
        language = messages.language
    project = Project(ROOT, ROOT / "scripts", results)
    execution = execute_section(section, project)
    shown = {}
    for position, outputs in execution.outputs.items():
        shown[position], noise = split_noise(outputs)
        if noise:
            print(f"{section.place(position)} wrote:\n{noise}", file=sys.stderr, end="")
    prose = fill_in(section, facts_of(section, shown), messages.of(language))
    behind = provenance(section, project)
    write_atomically(output, as_notebook(section, prose, shown, behind, language))
    cells = len(execution.outputs)
    print(f"{section.name}: {cells} cells, {execution.executed} executed", file=sys.stderr)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line; exits with status 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--section", type=Path, required=True, help="percent-format script")
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("results"),
        help="folder with the data that cells declare; keeps outputs in .report-cache "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--language",
        default=ENGLISH,
        help="language of the prose, where SECTION's folder has a translation, and of its terms "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--messages",
        type=Path,
        default=ROOT / "report" / "messages",
        help="folder with the messages of each language (default: report/messages)",
    )
    parser.add_argument("--output", type=Path, required=True, help="notebook to write (.ipynb)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
