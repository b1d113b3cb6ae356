"""Write the JSON schema by which editors complete and check config.yaml."""

import argparse
import json
from pathlib import Path

from feedrate.configuration.model import json_schema
from feedrate.files import write_atomically


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("workflow/schemas/config.schema.json"),
        help="file to write (default: %(default)s)",
    )
    write_atomically(parser.parse_args().output, json.dumps(json_schema(), indent=2) + "\n")


if __name__ == "__main__":
    main()
