"""The file and the line of every key, so that a mistake is shown with its line."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

Key = tuple[str | int, ...]


@dataclass(frozen=True)
class Places:
    """Lines of the keys in some configuration files; a later file overrides an earlier one."""

    files: tuple[tuple[str, dict[Key, int]], ...]

    def of(self, key: Key) -> str:
        """`file:line` of `key`, or of its nearest parent that is in a file."""
        for length in range(len(key), 0, -1):
            for name, lines in reversed(self.files):
                if key[:length] in lines:
                    return f"{name}:{lines[key[:length]]}"
        return self.files[-1][0] if self.files else "configuration"


def read_places(paths: Sequence[Path]) -> Places:
    """The places of all keys in the YAML files `paths`, in the order in which they apply."""
    return Places(tuple((str(path), _lines(path)) for path in paths))


def _lines(path: Path) -> dict[Key, int]:
    lines: dict[Key, int] = {}

    def walk(node: yaml.Node, key: Key) -> None:
        if isinstance(node, yaml.MappingNode):
            for name, value in node.value:
                lines[(*key, str(name.value))] = name.start_mark.line + 1
                walk(value, (*key, str(name.value)))
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                lines[(*key, index)] = value.start_mark.line + 1
                walk(value, (*key, index))

    root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    if root is not None:
        walk(root, ())
    return lines
