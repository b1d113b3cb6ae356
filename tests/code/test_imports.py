from pathlib import Path

from feedrate.code.imports import first_party_closure


def test_the_closure_follows_first_party_imports_only(tmp_path: Path) -> None:
    files = {
        "main.py": "import json\nfrom package import inner\nfrom package.other import f\n",
        "package/__init__.py": "",
        "package/inner.py": "def g():\n    from . import late\n",
        "package/other.py": "f = 1\n",
        "package/late.py": "from ..stranger import x\nx = 1; import one_line\n",
        "one_line.py": "from package import (  # several lines\n    again as other,\n)\n",
        "package/again.py": "from continued \\\n    import y\n",
        "continued.py": "",
        "package/unused.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    closure = first_party_closure([tmp_path / "main.py"], tmp_path)
    assert [str(file.relative_to(tmp_path.resolve())) for file in closure] == [
        "continued.py",
        "main.py",
        "one_line.py",
        "package/__init__.py",
        "package/again.py",
        "package/inner.py",
        "package/late.py",
        "package/other.py",
    ]
