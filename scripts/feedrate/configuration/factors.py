"""The factors: what a sweep may vary, one entry each.

All that depends on them is derived from this table: the model of config.yaml and its schema,
folders of cells, columns, labels, the vocabulary of claims, and which settings may be compared.
"""

import platform
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from feedrate.measurement.loaders import LOADERS

Level = bool | int | str | None
"""One level of a factor; None where the factor doesn't apply."""

DATALOADER = "dataloader"
"""The kind of loader unless another one is named."""


def _as_given(level: Level) -> Level:
    return level


def _start_method(level: Level) -> Level:
    """`auto` is fork on Linux, as until Python 3.13, and spawn elsewhere."""
    if level != "auto":
        return level
    return "fork" if platform.system() == "Linux" else "spawn"


@dataclass(frozen=True)
class Factor:
    """Something that a sweep may vary.

    `level` is the pydantic annotation of the levels that config.yaml may give, and `default` the
    one that holds where it gives none. `neutral` is what a loader does where the factor isn't set:
    that level is written neither into a specification nor into the name of a folder, so that
    a new factor leaves measured cells fresh; None if there is no such level. `inapplicable` is the
    level in tables where the factor doesn't apply. `name_of` and `words_of` give a level as part of
    a folder's name and in words; `resolve` turns a level of config.yaml into one of this machine.
    """

    name: str
    level: Any
    default: Level
    description: str
    column: str
    name_of: Callable[[Level], str]
    words_of: Callable[[Level], str]
    neutral: Level = None
    inapplicable: Level = None
    needs_workers: bool = False
    needs_pinning: bool = False
    resolve: Callable[[Level], Level] = _as_given


FACTORS = (
    Factor(
        name="num_workers",
        level=Annotated[int, Field(ge=0, le=512)],
        default=0,
        description="Workers; 0 loads in the main process.",
        column="worker processes; 0 loads in the main process",
        name_of="workers-{}".format,
        words_of=lambda level: "1 worker" if level == 1 else f"{level} workers",
    ),
    Factor(
        name="batch_size",
        level=Annotated[int, Field(ge=1)],
        default=256,
        description="Images in a batch.",
        column="images in a batch",
        name_of="batch-{}".format,
        words_of="batch {}".format,
    ),
    Factor(
        name="prefetch_factor",
        level=Annotated[int, Field(ge=1)],
        default=2,
        description="Batches that each worker prepares ahead; left out without workers.",
        column="batches that each worker prepares ahead; empty without workers",
        name_of="prefetch-{}".format,
        words_of="prefetch {}".format,
        neutral=2,
        needs_workers=True,
    ),
    Factor(
        name="persistent_workers",
        level=bool,
        default=True,
        description="Keep workers between epochs; left out without workers.",
        column="whether workers are kept between epochs",
        name_of=lambda level: "persistent" if level else "respawned",
        words_of=lambda level: "persistent" if level else "respawned",
        neutral=False,
        inapplicable=False,
        needs_workers=True,
    ),
    Factor(
        name="start_method",
        level=Literal["auto", "fork", "forkserver", "spawn"],
        default="auto",
        description="How workers start; auto is fork on Linux and spawn elsewhere.",
        column="how workers were started; empty without workers",
        name_of=str,
        words_of=str,
        needs_workers=True,
        resolve=_start_method,
    ),
    Factor(
        name="pin_memory",
        level=bool,
        default=True,
        description="Batches in page-locked memory; left out without CUDA or XPU.",
        column="whether batches are in page-locked memory",
        name_of=lambda level: "pinned" if level else "pageable",
        words_of=lambda level: "pinned" if level else "pageable",
        neutral=False,
        inapplicable=False,
        needs_pinning=True,
    ),
    Factor(
        name="kind",
        level=Literal[tuple(LOADERS)],
        default=DATALOADER,
        description="What loads: "
        + "; ".join(f"{n} is {k.title}" for n, k in LOADERS.items())
        + ".",
        column="what loads",
        name_of=str,
        words_of=str,
        neutral=DATALOADER,
    ),
)
"""In the order of columns and of the parts of folder names."""

BY_NAME = {factor.name: factor for factor in FACTORS}
