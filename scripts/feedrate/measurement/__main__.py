"""The measuring process: `python -m feedrate.measurement`, a request on standard input.

The request has a `specification`, the folder `data`, `batch_seconds` and the id of the `parent`;
the answer, on standard output, is the `measurement` and facts about the `process`.
"""

import json
import os
import sys

from feedrate.measurement.process import forget_foreign_settings, read_request, take_answer


def main() -> None:
    forget_foreign_settings()
    answer = take_answer()
    request = read_request()
    del sys.argv[1:]

    # Imported here: the lines above must come before torch reads its environment.
    from feedrate.measurement.run import run

    with os.fdopen(answer, "w") as stream:
        json.dump(run(**request), stream)


if __name__ == "__main__":
    main()
