"""The page of a whole run: the same bytes anywhere, its numbers from its files, its languages."""

import base64
import csv
import html
import io
import json
import math
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from scipy import stats  # type: ignore[import-untyped]

from feedrate.publishing.checksums import files_below
from tests.workflow.project import CANARY, Project, copy_project

pytestmark = pytest.mark.slow

FIGURE = "application/vnd.feedrate.figure+json"


def page_of(project: Project) -> str:
    return (project.results / "report.html").read_text()


def carry_over(project: Project, folder: Path) -> Project:
    """A new project with the cells of `project`, and nothing that was made from them."""
    other = copy_project(folder)
    (other.folder / "config.yaml").write_text((project.folder / "config.yaml").read_text())
    for name in ("cells", "rehearsals"):
        shutil.copytree(project.results / name, other.results / name)
    return other


def test_the_same_results_give_the_same_bytes_anywhere(complete: Project, tmp_path: Path) -> None:
    other = carry_over(complete, tmp_path / "another folder" / "project")
    other.environment = {
        "PYTHONHASHSEED": "12345",
        "LANG": "tr_TR.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "Asia/Tokyo",
        "HOME": str(tmp_path),
    }
    run = other.run("report")
    assert run.status == 0, run.output
    assert run.jobs["measure_cell"] == 0
    assert page_of(other) == page_of(complete)
    figures, others = (files_below(each.results / "figures") for each in (complete, other))
    assert figures.keys() == others.keys()
    assert len(figures) > 10
    for name, file in figures.items():
        assert file.read_bytes() == others[name].read_bytes(), name


def test_every_cell_executed_again_shows_the_same_and_the_page_says_so(measured: Project) -> None:
    assert "Not audited" in page_of(measured)
    assert measured.run("audit").status == 0
    found = json.loads((measured.results / "audit.json").read_text())
    assert found["cells"] == found["identical"] > 30
    run = measured.run("report")
    assert run.jobs == {"assemble_report": 1}
    assert f"{found['cells']} of {found['cells']} code cells identical" in page_of(measured)
    measured.edit("report/sections/08_claims.py", "tested here", "tested on this machine")
    assert measured.run("report").status == 0
    assert "Not audited" in page_of(measured)


def test_another_language_changes_the_answer_and_the_captions_only(measured: Project) -> None:
    def speak_chinese(config: dict[str, Any]) -> None:
        config["report"] = {"language": "zh"}

    measured.configure(speak_chinese)
    run = measured.run("report")
    assert run.status == 0, run.output
    assert run.jobs == {"render_section": 1, "assemble_report": 1}
    page = page_of(measured)
    assert ">结论</h2>" in page
    assert '<figcaption lang="zh">\n<p><span class="label">图 1.</span>' in page
    assert "0 executed" in (measured.results / "logs/render_section/01_answer.log").read_text()
    assert ">Pinned memory</h2>" in page


def test_the_page_names_nobody_and_nowhere(complete: Project) -> None:
    written = [complete.results / "report.html", *complete.results.glob("figures/*")]
    written += [*complete.results.glob("*.csv"), *complete.results.glob("*.json")]
    written += [*complete.results.glob("sections/*"), *complete.cell_files]
    for file in written:
        content = file.read_bytes()
        for word in (CANARY, str(complete.folder)):
            assert word.encode() not in content, file.name


def test_another_machine_is_shown_beside_this_one(measured: Project, tmp_path: Path) -> None:
    bundle = tmp_path / "site"
    run_script(measured, "publish_site.py", "--output", bundle)

    def compare(config: dict[str, Any]) -> None:
        config["report"] = {"compare": [str(bundle / "bundle.zip"), str(bundle)]}

    measured.configure(compare)
    run = measured.run("report")
    assert run.status == 0, run.output
    page = page_of(measured)
    assert "beside 2 published runs" in " ".join(page.split())
    assert "Which conclusions hold where" in page
    assert 'id="table-conclusions"' in page
    tampered = bundle / "tables" / "ledger.json"
    tampered.write_text(tampered.read_text().replace("not testable here", "reproduced", 1))
    run = measured.run("report")
    assert run.status != 0
    assert "report.compare" in run.output
    assert "tables/ledger.json" in run.output


def run_script(project: Project, script: str, *arguments: Any) -> None:
    subprocess.run(
        [
            *(sys.executable, project.folder / "scripts" / script),
            *("--results", project.results),
            *map(str, arguments),
        ],
        cwd=project.folder,
        check=True,
    )


def test_snakemakes_own_report_shows_page_figures_and_tables(
    complete: Project, tmp_path: Path
) -> None:
    target = tmp_path / "snakemake-report.html"
    run = complete.run("--report", str(target))
    assert run.status == 0, run.output
    text = target.read_text()
    for part in ("The report", "Figures", "Tables", "throughput-and-epochs", "comparisons"):
        assert part in text


# --- numbers --------------------------------------------------------------------------------------


def test_the_page_is_small_enough_to_send(complete: Project) -> None:
    assert (complete.results / "report.html").stat().st_size < 2_000_000


def figures_in(project: Project) -> dict[str, dict[str, Any]]:
    """What each notebook holds of every figure, by name."""
    return {
        output["data"][FIGURE]["name"]: output["data"][FIGURE]
        for notebook in sorted((project.results / "sections").glob("*.ipynb"))
        for cell in json.loads(notebook.read_text())["cells"]
        for output in cell.get("outputs", [])
        if FIGURE in output.get("data", {})
    }


def saved_from(page: str) -> dict[str, list[dict[str, str]]]:
    """The rows of every CSV file that the page carries, by its name."""
    links = re.findall(r'download="([^"]+)\.csv" href="data:text/csv;[^,]*,([^"]*)"', page)
    return {
        name: list(csv.DictReader(io.StringIO(base64.b64decode(text).decode())))
        for name, text in links
    }


def timed(project: Project) -> list[dict[str, Any]]:
    """The records of the timed repetitions."""
    return [each for each in project.records() if each["specification"]["arm"] == "training"]


def test_throughputs_in_words_are_medians_of_the_raw_cells(complete: Project) -> None:
    """From the records, by hand: no function of the library has a part in it."""
    by_setting: dict[tuple[str, int], list[float]] = {}
    for record in timed(complete):
        warm = record["measurement"]["epochs"][1]
        specification = record["specification"]
        key = specification["condition"]["name"], specification["loader"]["num_workers"]
        by_setting.setdefault(key, []).append(warm["images"] / warm["seconds"])
    alt = figures_in(complete)["throughput-and-epochs"]["alt"]
    assert html.escape(alt) in page_of(complete)
    for (condition, workers), values in by_setting.items():
        median = f"{statistics.median(values):,.0f} with {workers}"
        assert re.search(rf"{condition}: [^.]*\b{median}\b", alt), (condition, median)
    rows = saved_from(page_of(complete))["figure-throughput-and-epochs"]
    written = sorted(float(row["warm_images_per_second"]) for row in rows)
    assert written == pytest.approx(sorted(each for own in by_setting.values() for each in own))


def test_every_number_in_alternative_text_follows_from_the_figures_own_data(
    complete: Project,
) -> None:
    saved = saved_from(page_of(complete))
    checked = 0
    for name, figure in figures_in(complete).items():
        rows = saved[f"figure-{name}"]
        allowed = numbers_that_follow(rows)
        for number in re.findall(r"(?<![\w.-])[-+]?\d[\d,]*(?:\.\d+)?", figure["alt"]):
            digits = len(number.partition(".")[2])
            value = float(number.replace(",", ""))
            assert any(abs(value - each) <= 0.51 * 10**-digits for each in allowed), (name, number)
            checked += 1
    assert checked > 20


def numbers_that_follow(rows: list[dict[str, str]]) -> list[float]:
    """Every value of the rows, and the median of each column within each group of keys."""
    keys = [each for each in rows[0] if each in ("condition", "num_workers", "memory", "epoch")]
    groups: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    found = []
    for own in groups.values():
        for column in own[0]:
            values = [number for row in own if (number := as_number(row[column])) is not None]
            found += values
            if values:
                found.append(statistics.median(values))
    return found


def as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def test_numbers_in_the_prose_follow_from_the_raw_cells(complete: Project) -> None:
    """The answer and the gain, by hand: medians, and the mean of log-ratios within rounds."""
    rates: dict[int, dict[int, float]] = {}
    for record in timed(complete):
        specification, warm = record["specification"], record["measurement"]["epochs"][1]
        by_round = rates.setdefault(specification["loader"]["num_workers"], {})
        by_round[specification["repetition"]] = warm["images"] / warm["seconds"]
    logs = [math.log(rates[4][each] / rates[0][each]) for each in sorted(rates[0])]
    mean, half = statistics.mean(logs), stats.t.ppf(0.975, len(logs) - 1) * stats.sem(logs)
    ratio, low, high = math.exp(mean), math.exp(mean - half), math.exp(mean + half)
    decisions = json.loads((complete.results / "decisions.json").read_text())
    recommended = statistics.median(rates[decisions["advice"][0]["workers"]].values())
    text = " ".join(re.sub("<[^>]*>", "", page_of(complete)).split())
    assert f"Throughput of the warm epoch: {recommended:,.0f} images/s (median;" in text
    assert f"throughput with 4 workers is {ratio:.3f} times that without" in text
    shown = re.search(r"\(95 % interval ([\d.]+) to ([\d.]+), 2 rounds\)", text)
    assert shown
    # Two noisy rounds give bounds of many digits; sums in another order differ in the last.
    assert [float(each) for each in shown.groups()] == pytest.approx([low, high], 1e-6, 6e-4)
    with_4, without = (statistics.median(rates[workers].values()) for workers in (4, 0))
    gain = f"at most {with_4 / without:.2f} times with 4 workers"
    assert (gain if with_4 > without else "no gain at any number of workers") in text


def test_the_published_tables_alone_give_every_number_of_the_page(
    complete: Project, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    results.mkdir()
    for file in [*complete.results.glob("*.csv"), *complete.results.glob("*.json")]:
        shutil.copyfile(file, results / file.name)
    sections = sorted((complete.folder / "report" / "sections").glob("*.py"))
    shown = {file.stem: file.read_bytes() for file in complete.results.glob("sections/*.ipynb")}
    assert shown.keys() == {section.stem for section in sections}
    for section in sections:
        notebook = tmp_path / f"{section.stem}.ipynb"
        subprocess.run(
            [
                *(sys.executable, complete.folder / "scripts" / "render_section.py"),
                *("--section", section, "--results", results, "--output", notebook),
            ],
            cwd=complete.folder,
            check=True,
        )
        assert notebook.read_bytes() == shown[section.stem], section.name


def test_verdicts_of_ratios_follow_from_the_published_epochs(complete: Project) -> None:
    """The ledger's ratios again, from epochs.csv and claims.yaml, with scipy alone."""
    with (complete.results / "epochs.csv").open() as file:
        warm = [row for row in csv.DictReader(file) if row["phase"] == "warm"]
    claims = yaml.safe_load((complete.folder / "report" / "claims.yaml").read_text())["claims"]
    ledger = json.loads((complete.results / "ledger.json").read_text())
    entries = {entry["id"]: entry for entry in ledger}
    judged = []
    for claim in claims:
        ratio, entry = (claim.get("compare") or {}).get("ratio"), entries[claim["id"]]
        if ratio and entry["rounds"] and all(map(names_a_setting, ratio.values())):
            logs = paired_logs(warm, ratio["of"], ratio["to"])
            half = stats.t.ppf(0.5 + entry["coverage"] / 2, len(logs) - 1) * stats.sem(logs)
            mean = statistics.mean(logs)
            low, high = math.exp(mean - half), math.exp(mean + half)
            assert [entry[key] for key in ("estimate", "low", "high")] == pytest.approx(
                [math.exp(mean), low, high]
            )
            assert entry["verdict"] == verdict(claim["holds"], low, high)
            judged.append(claim["id"])
    assert "a-light-0-to-4" in judged


def names_a_setting(side: dict[str, Any]) -> bool:
    """Whether a side of a ratio is warm throughput with a number of workers."""
    return side["metric"] == "warm_images_per_second" and isinstance(side["num_workers"], int)


def paired_logs(warm: list[dict[str, str]], of: dict[str, Any], to: dict[str, Any]) -> list[float]:
    """Log-ratios by round of two settings."""
    numerator, denominator = (
        {
            row["repetition"]: float(row["images_per_second"])
            for row in warm
            if (row["condition"], row["num_workers"])
            == (side["condition"], str(side["num_workers"]))
        }
        for side in (of, to)
    )
    rounds = sorted(numerator.keys() & denominator.keys())
    return [math.log(numerator[each] / denominator[each]) for each in rounds]


def verdict(holds: dict[str, float], low: float, high: float) -> str:
    """By a bound above or below: inside, outside, or neither."""
    ((direction, limit),) = holds.items()
    inside, outside = low > limit, high <= limit
    if direction == "below":
        inside, outside = high < limit, low >= limit
    return "reproduced" if inside else "contradicted" if outside else "undecided"
