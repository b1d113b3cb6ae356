"""What is private, where it is found, and what the user is told to change."""

import json
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedrate.environment.accelerators import Gpu
from feedrate.environment.description import description
from feedrate.publishing.privacy import (
    PUBLIC_GPU_FACTS,
    PUBLIC_MACHINE_FACTS,
    Disclosure,
    disclosures,
    private_words,
    refusal,
)

WORDS = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=12)


def become(monkeypatch: pytest.MonkeyPatch, user: str, host: str, home: str) -> None:
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, user)
    monkeypatch.setenv("HOME", home)
    monkeypatch.setattr("socket.gethostname", lambda: host)


@pytest.fixture
def anna(monkeypatch: pytest.MonkeyPatch) -> None:
    become(monkeypatch, "anna", "kestrel.lab.example", "/home/anna")


def found(folder: Path, name: str, text: str) -> list[Disclosure]:
    (folder / name).write_text(text, encoding="utf-8")
    return disclosures(folder, private_words())


# --- the allow-list -------------------------------------------------------------------------------


def test_every_recorded_fact_was_decided_upon(tmp_path: Path) -> None:
    assert description(tmp_path).keys() == PUBLIC_MACHINE_FACTS
    assert {field.name for field in fields(Gpu)} == PUBLIC_GPU_FACTS


@given(WORDS.filter(lambda word: word not in PUBLIC_MACHINE_FACTS))
def test_a_fact_that_nobody_allowed_is_found_wherever_it_is(
    tmp_path_factory: pytest.TempPathFactory, fact: str
) -> None:
    folder = tmp_path_factory.mktemp("site")
    content = {"cells": [{"specification": {"machine": {"cpu": "a processor", fact: "x"}}}]}
    (folder / "plan.json").write_text(json.dumps(content))
    (disclosure,) = disclosures(folder, [])
    assert disclosure.what == "fact outside the allow-list"
    assert disclosure.place == f"cells[0].specification.machine.{fact}"


def test_a_gpus_number_is_not_a_public_fact(tmp_path: Path) -> None:
    gpu = {"name": "a GPU", "memory_gib": 16, "driver": "1", "uuid": "GPU-1"}
    (disclosure,) = found(tmp_path, "machine.json", json.dumps({"machine": {"gpus": [gpu]}}))
    assert disclosure.place == "machine.gpus.uuid"
    assert "privacy.py" in refusal([disclosure])


def test_an_articles_machine_is_a_text_and_may_say_what_it_likes(tmp_path: Path) -> None:
    assert found(tmp_path, "claims.yaml", "articles: {A: {machine: RTX 5070 Ti}}\n") == []


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("anna")
def test_user_host_and_home_are_private() -> None:
    assert [(word.kind, word.text) for word in private_words()] == [
        ("user name", "anna"),
        ("host name", "kestrel.lab.example"),
        ("host name", "kestrel"),
        ("home folder", "/home/anna"),
    ]


def test_what_many_share_or_is_too_short_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    become(monkeypatch, "root", "localhost", "/root")
    assert [word.text for word in private_words()] == ["/root"]
    become(monkeypatch, "Runner", "vm", "/")
    assert private_words() == []


@pytest.mark.usefixtures("anna")
def test_what_is_declared_an_ordinary_word_is_not() -> None:
    assert [word.text for word in private_words(["Anna", "kestrel"])] == [
        "kestrel.lab.example",
        "/home/anna",
    ]


@pytest.mark.usefixtures("anna")
@pytest.mark.parametrize("text", ["by Anna", "anna-data", "/data/anna_2/x", "(anna)", "kestrel:1"])
def test_a_name_is_found_as_a_word(tmp_path: Path, text: str) -> None:
    (disclosure,) = found(tmp_path, "index.html", f"<p>first\n<p>{text}\n")
    assert (disclosure.file, disclosure.place) == ("index.html", "line 2")
    assert text in disclosure.excerpt


@pytest.mark.usefixtures("anna")
@pytest.mark.parametrize("text", ["Susanna", "annals", "anna7", "kestrels"])
def test_a_name_inside_a_longer_word_is_not(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, "index.html", text) == []


# --- the home folder ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("home", "text", "is_found"),
    [
        ("/home/bo", "folder: /home/bo", True),
        ("/home/bo", "file:///home/bo/data", True),
        ("/home/bo", "folder: /home/bob", False),
        ("/root", "folder: /root/data", True),
        ("/root", "the square /root of", False),
        ("/root", "</root><x/>", False),
        ("/root", "tree/root/leaf", False),
    ],
)
def test_the_home_folder_is_found_as_a_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: str, text: str, is_found: bool
) -> None:
    become(monkeypatch, "bo", "vm", home)
    assert [disclosure.what for disclosure in found(tmp_path, "a.txt", text)] == [
        "home folder"
    ] * is_found


# --- the message ----------------------------------------------------------------------------------


def test_a_setting_is_named_with_where_to_change_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    become(monkeypatch, "bo", "vm", "/home/bo")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "config.yaml").write_text(
        "dataset:\n  local_folder: /home/bo/fashion\n"
    )
    plan = {"experiment": {"dataset": {"local_folder": "/home/bo/fashion"}}}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    text = refusal(disclosures(tmp_path, private_words()))
    assert (
        "project/config.yaml: home folder at dataset.local_folder, '/home/bo/fashion': "
        "change dataset.local_folder in config.yaml"
    ) in text
    assert "plan.json: home folder at experiment.dataset.local_folder" in text
    assert text.count("change dataset.local_folder in config.yaml") == 2


@pytest.mark.usefixtures("anna")
@pytest.mark.parametrize("name", ["report/claims.yaml", "workflow/presets/mine.yaml"])
def test_a_file_of_the_project_is_named_with_where_to_change_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "project" / name).parent.mkdir(parents=True)
    text = "claims: [{id: x, note: Anna measured it}]\n"
    (disclosure,) = found(tmp_path, f"project/{name}", text)
    assert disclosure.place == "claims[0].note"
    assert refusal([disclosure]).splitlines()[1].endswith(f": change {name}")


def test_letters_that_json_escapes_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    become(monkeypatch, "bo", "vm", "/home/josé")
    (disclosure,) = found(tmp_path, "plan.json", json.dumps({"folder": "/home/josé/data"}))
    assert disclosure.place == "folder"


@pytest.mark.usefixtures("anna")
def test_a_comment_is_found_by_its_line(tmp_path: Path) -> None:
    (disclosure,) = found(tmp_path, "config.yaml", "device: cpu\n# ask anna\n")
    assert disclosure.place == "line 2"


def test_a_long_list_is_cut() -> None:
    text = refusal(
        [Disclosure(f"{number}.txt", "user name", "line 1", "x") for number in range(25)]
    )
    assert "19.txt" in text
    assert "20.txt" not in text
    assert "and 5 more" in text
