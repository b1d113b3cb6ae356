"""The words of the page in its languages."""

import re
from pathlib import Path

import jinja2
import jinja2.meta
import pytest
import yaml

from feedrate.page.messages import MessageError, read_messages

FOLDER = Path(__file__).resolve().parents[2] / "report" / "messages"
TRANSLATIONS = ["ja", "zh"]
ENGLISH = yaml.safe_load((FOLDER / "en.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_every_message_and_no_other(language: str) -> None:
    content = yaml.safe_load((FOLDER / f"{language}.yaml").read_text(encoding="utf-8"))
    assert content.keys() == ENGLISH.keys()
    for group in ENGLISH.keys() - {"terms"}:
        assert content[group].keys() == ENGLISH[group].keys(), group


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("group", ["figures", "tables"])
def test_a_translation_names_the_same_values(language: str, group: str) -> None:
    content = yaml.safe_load((FOLDER / f"{language}.yaml").read_text(encoding="utf-8"))
    for key, text in ENGLISH[group].items():
        assert named(content[group][key]) == named(text), key


def named(message: str) -> set[str]:
    """The values that a message names, with the attributes of each."""
    environment = jinja2.Environment()
    environment.filters.update({"workers": str, "term": str})
    names = jinja2.meta.find_undeclared_variables(environment.parse(message))
    return names | set(re.findall(r"each\.\w+", message))


def test_a_missing_message_appears_in_english(tmp_path: Path) -> None:
    (tmp_path / "en.yaml").write_text("tables: {a: 'A {{ n }}', b: B}\n")
    (tmp_path / "ja.yaml").write_text("tables: {a: '{{ n }} ア'}\n")
    messages = read_messages(tmp_path, "ja")
    assert messages.caption("tables", "a", {"n": 1}).text == "1 ア"
    assert messages.caption("tables", "a", {"n": 1}).language == "ja"
    assert messages.caption("tables", "b", {}).language == "en"


def test_mistakes_name_file_key_and_values(tmp_path: Path) -> None:
    (tmp_path / "en.yaml").write_text("tables: {a: '{{ m }}'}\n")
    messages = read_messages(tmp_path, "en")
    with pytest.raises(MessageError, match=r"messages/en.yaml, tables.a: 'm' is undefined; .*: n"):
        messages.caption("tables", "a", {"n": 1})
    with pytest.raises(MessageError, match=r"en.yaml has no figures.mine: add it"):
        messages.caption("figures", "mine", {})
    (tmp_path / "ja.yaml").write_text("counts: {}\n")
    with pytest.raises(MessageError, match=r"en.yaml has no counts.one_worker"):
        read_messages(tmp_path, "ja").workers(1)
    (tmp_path / "zh.yaml").write_text("tables: [a]\n")
    with pytest.raises(MessageError, match="write groups of messages"):
        read_messages(tmp_path, "zh")
    with pytest.raises(MessageError, match="can't be read"):
        read_messages(tmp_path, "fr")


def test_terms_that_are_unknown_stay() -> None:
    messages = read_messages(FOLDER, "zh")
    assert messages.term("contention") == "资源争用"
    assert messages.term("512 MiB") == "512 MiB"
