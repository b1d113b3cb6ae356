"""The metadata of a published folder, as a Workflow Run RO-Crate.

RO-Crate 1.1 (https://w3id.org/ro/crate/1.1) with the profiles Process Run Crate 0.5, Workflow Run
Crate 0.5 and Workflow RO-Crate 1.0. Nothing in it is random or depends on the day: the same files
and the same run give the same text.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from rocrate.rocrate import ROCrate

from feedrate.measurement.workload import Paper
from feedrate.publishing import CARD, layout
from feedrate.publishing.checksums import BUNDLE, SUMS, files_below
from feedrate.publishing.layout import CLAIMS, CONFIG, METADATA, PROJECT, WORKFLOW
from feedrate.reading import sha256

_CRATE_VERSION = "1.1"
_RUN_TERMS = "https://w3id.org/ro/terms/workflow-run/context"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
_LICENSE = "https://spdx.org/licenses/MIT"
_CONFIG_PARAMETER = "#configfile"

_FORMATS = {
    "cff": "application/yaml",
    "css": "text/css",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "png": "image/png",
    "py": "text/x-python",
    "rst": "text/x-rst",
    "svg": "image/svg+xml",
    "yaml": "application/yaml",
}

_DESCRIPTIONS = {place: file.meaning for place, file in layout.RESULTS.items()} | {
    SUMS: "SHA-256 of every other file, for `sha256sum --check`.",
    CARD: "The leading figure, for previews of links.",
    WORKFLOW: "Measures what is missing, decides, judges the claims and writes the report.",
    layout.README: "What is where, and how to check it and measure it again.",
    layout.CITATION: "How to cite the software.",
    layout.CLAIMS: "What the articles claim, and how each claim is tested.",
    layout.LICENSE: "The license of the software.",
    layout.LOCK: "All Python packages of the run, pinned with their digests.",
}
_DESCRIPTIONS_BY_FOLDER = {
    "cells": "One measured repetition, with its specification, machine and checksum.",
    "figures": "A figure of the report, or the data behind it.",
    PROJECT: "Part of the workflow, or of what it needs to run.",
}
_SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
_PYTHON = "https://www.python.org/"
_LANGUAGES = {"smk": _SNAKEMAKE, "py": _PYTHON}
"""The language of source code by the ending of its name."""

_RESULTS = ("index.html", "tables/", "figures/", "cells/")


@dataclass(frozen=True)
class Run:
    """What the metadata says about the measurement; times are ISO 8601 in UTC.

    `identifier` identifies the run: another plan or other cells have another one.
    """

    identifier: str
    title: str
    description: str
    started_at: str
    ended_at: str
    code_version: str
    snakemake_version: str
    dataset_name: str
    dataset_digest: str
    paper: Paper


def metadata(folder: Path, run: Run) -> str:
    """The content of ro-crate-metadata.json for all files below `folder` but bundle.zip."""
    crate: Any = ROCrate(version=_CRATE_VERSION)
    crate.metadata.extra_contexts.append(_RUN_TERMS)
    files = {
        name: path for name, path in files_below(folder).items() if name not in (METADATA, BUNDLE)
    }
    _add_workflow(crate, run, files)
    for name in sorted((files.keys() | {SUMS}) - {WORKFLOW}):
        crate.add_file(None, name, properties=_file_properties(name, files.get(name)))
    dataset = _add_dataset(crate, run)
    action = _add_action(crate, run, dataset, sorted(files))
    _describe_root(crate, run, [action, dataset])
    return _as_text(crate)


def _describe_root(crate: Any, run: Run, mentioned: Iterable[Any]) -> None:
    root = crate.root_dataset
    root["name"] = run.title
    root["description"] = run.description
    root["datePublished"] = run.ended_at[: len("2026-01-01")]
    root["license"] = crate.add_jsonld(
        {
            "@id": _LICENSE,
            "@type": "CreativeWork",
            "name": "MIT License",
            "description": "The license of the code; see project/LICENSE.",
        }
    )
    root["conformsTo"] = [
        crate.add_jsonld({"@id": url, "@type": "CreativeWork", "name": name, "version": version})
        for url, (name, version) in _PROFILES.items()
    ]
    root["mentions"] = list(mentioned)


def _add_workflow(crate: Any, run: Run, files: Mapping[str, Path]) -> None:
    properties = _file_properties(WORKFLOW, files[WORKFLOW]) | {
        "name": "feedrate",
        "version": run.code_version,
        "license": {"@id": _LICENSE},
        "input": [{"@id": _CONFIG_PARAMETER}],
        "hasPart": [{"@id": name} for name in files if _language_of(name)],
    }
    crate.add_workflow(
        None,
        WORKFLOW,
        main=True,
        lang="snakemake",
        lang_version=run.snakemake_version,
        properties=properties,
    )
    crate.add_jsonld(
        {
            "@id": _PYTHON,
            "@type": "ComputerLanguage",
            "name": "Python",
            "url": {"@id": _PYTHON},
        }
    )
    crate.add_jsonld(
        {
            "@id": _CONFIG_PARAMETER,
            "@type": "FormalParameter",
            "additionalType": "File",
            "name": "configfile",
            "description": "What is measured, and how.",
            "encodingFormat": _FORMATS["yaml"],
            "workExample": {"@id": CONFIG},
        }
    )


def _add_dataset(crate: Any, run: Run) -> Any:
    paper = crate.add_jsonld(
        {
            "@id": run.paper.address,
            "@type": "ScholarlyArticle",
            "name": run.paper.title,
            "author": run.paper.authors,
            "datePublished": run.paper.year,
            "identifier": run.paper.identifier,
        }
    )
    return crate.add_jsonld(
        {
            "@id": f"#dataset-{run.dataset_digest[:12]}",
            "@type": "Collection",
            "name": run.dataset_name,
            "description": "The images that were trained on. The identifier is a SHA-256 over the "
            "names and contents of its files.",
            "identifier": run.dataset_digest,
            "citation": {"@id": paper.id},
        }
    )


def _add_action(crate: Any, run: Run, dataset: Any, names: Iterable[str]) -> Any:
    results = [{"@id": name} for name in names if name.startswith(_RESULTS)]
    return crate.add_jsonld(
        {
            "@id": f"#run-{run.identifier}",
            "@type": "CreateAction",
            "name": f"Measurement for: {run.title}",
            "description": "The times are those of the first measurement's start and of the last "
            "one's end; the tables, figures and report were made afterwards.",
            "startTime": run.started_at,
            "endTime": run.ended_at,
            "instrument": {"@id": WORKFLOW},
            "object": [{"@id": CONFIG}, {"@id": CLAIMS}, {"@id": dataset.id}],
            "result": results,
        }
    )


def _file_properties(name: str, file: Path | None) -> dict[str, Any]:
    """What is said about a file; nothing about its content where it isn't written yet."""
    top = name.partition("/")[0]
    description = _DESCRIPTIONS.get(name) or _DESCRIPTIONS_BY_FOLDER.get(top)
    properties: dict[str, Any] = {
        "name": name,
        "encodingFormat": _FORMATS.get(name.rpartition(".")[2], "text/plain"),
    }
    if description:
        properties["description"] = description
    if language := _language_of(name):
        properties["@type"] = ["File", "SoftwareSourceCode"]
        properties["programmingLanguage"] = {"@id": language}
    if name == CONFIG:
        properties["exampleOfWork"] = {"@id": _CONFIG_PARAMETER}
    if name == layout.README:
        properties["about"] = {"@id": "./"}
    if file and name != SUMS:
        properties |= {"contentSize": str(file.stat().st_size), "sha256": sha256(file)}
    return properties


def _language_of(name: str) -> str | None:
    """The language of a source file of the workflow; None for any other file."""
    return _LANGUAGES.get(name.rpartition(".")[2]) if name.startswith(f"{PROJECT}/") else None


def _as_text(crate: Any) -> str:
    content: dict[str, Any] = crate.metadata.generate()
    content["@graph"] = sorted(content["@graph"], key=itemgetter("@id"))
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
