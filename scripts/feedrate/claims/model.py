"""A claim, and the file of claims."""

import re
from pathlib import Path
from typing import Annotated, Any, Self

import yaml
from pydantic import AfterValidator, Field, ValidationError, model_validator

from feedrate.claims.bounds import Bound, Range
from feedrate.claims.mistakes import (
    article_problems,
    duplicate_problems,
    message,
    model_problems,
)
from feedrate.claims.operators import Compare
from feedrate.claims.requirements import Requirement, RequirementRule
from feedrate.configuration.mistakes import allowed
from feedrate.configuration.model import Section
from feedrate.configuration.places import read_places

Identifier = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Text = Annotated[str, Field(min_length=1)]


def _short_name(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", value):
        raise ValueError(f"{value!r} can't name an article; allowed: letters, digits, - and _")
    return value


ArticleName = Annotated[str, AfterValidator(_short_name)]
"""Of an entry of `articles`; files and headings are named after it."""


class ClaimsError(Exception):
    """The claims can't be used; the message lists every reason, a line each."""


class Article(Section):
    """A source of claims; `machine` is what its numbers were measured on."""

    title: Text
    date: str | None = None
    machine: Text


class Published(Section):
    """The size that an article gives.

    `value` is a number, or a pair for a range, in `unit`, which is that of the comparison; None
    where the article gives nothing comparable. `printed` is what it prints.
    """

    value: bool | float | Range | None = None
    unit: str | None = None
    printed: Text


class Claim(Section):
    """One claim of an article, how it is tested, and where it counts as reproduced.

    `published_on` is the machine that it was published for: the article's, unless said.
    """

    id: Identifier
    article: Text
    place: Text
    claim: Text
    published: Published | None = None
    compare: Compare | None = None
    holds: Bound | None = None
    requires: list[Requirement] = Field(default_factory=list)
    note: str | None = None
    published_on: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        elsewhere = any(
            isinstance(each, RequirementRule) and each.elsewhere for each in self.requires
        )
        if elsewhere:
            return self
        if self.compare is None or self.holds is None:
            raise ValueError("needs compare and holds, or a requirement `elsewhere`")
        operator, bound = self.compare.operator, self.holds.key
        if bound not in operator.bounds:
            raise ValueError(
                f"holds.{bound} doesn't go with compare.{self.compare.key}; "
                + allowed(bound, operator.bounds)
            )
        published = self.published
        if published and published.value is not None and published.unit != operator.unit:
            raise ValueError(
                f"published.unit is {published.unit!r}, but the comparison is in "
                f"{operator.unit!r}; allowed: {operator.unit}"
            )
        return self


Entry = bool | int | float | str | None


class Measured(Section):
    """The part of summary.csv that is shown beside an article's table.

    `where` names the rows by their columns, `columns` maps a column of the article to one of
    summary.csv; the article's other columns say which row belongs to which.
    """

    where: dict[str, bool | int | str] = Field(min_length=1)
    columns: dict[str, str] = Field(min_length=1)


class PublishedTable(Section):
    """A table of an article; `columns` says what each column means, with its unit.

    `measured` is None where this benchmark measures nothing of the kind.
    """

    id: Identifier
    article: Text
    place: Text
    title: Text
    columns: dict[str, str] = Field(min_length=1)
    rows: list[list[Entry]] = Field(min_length=1)
    measured: Measured | None = None
    note: str | None = None

    @model_validator(mode="after")
    def _rectangular(self) -> Self:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise ValueError(
                    f"row {number} has {len(row)} entries; allowed: {len(self.columns)}, "
                    f"for {', '.join(self.columns)}"
                )
        if self.measured:
            unknown = self.measured.columns.keys() - self.columns.keys()
            if unknown:
                raise ValueError(
                    f"measured.columns names {', '.join(sorted(unknown))}; "
                    + allowed(min(unknown), self.columns)
                )
        return self


class ClaimsFile(Section):
    """The whole of claims.yaml."""

    articles: dict[ArticleName, Article]
    claims: list[Claim]
    tables: list[PublishedTable] = Field(default_factory=list)


def read_claims(path: Path) -> ClaimsFile:
    """The YAML file `path`; ClaimsError lists every mistake with line, claim and key."""
    raw = _load(path)
    file, problems = None, [*duplicate_problems(raw), *article_problems(raw)]
    try:
        file = ClaimsFile.model_validate(raw)
    except ValidationError as error:
        problems = [*model_problems(error, raw, ClaimsFile.model_json_schema()), *problems]
    if file is None or problems:
        raise ClaimsError(message(problems, raw, read_places([path])))
    return file


def _load(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ClaimsError(f"The claims have 1 mistake:\n  {path}: no such file") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}" if mark else str(path)
        reason = getattr(error, "problem", None) or "is not UTF-8"
        raise ClaimsError(f"The claims have 1 mistake:\n  {place}: isn't YAML: {reason}") from None
