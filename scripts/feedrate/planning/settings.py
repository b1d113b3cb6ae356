"""One set of a loader's settings: a level for every factor, with what doesn't apply left out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from feedrate.configuration.factors import BY_NAME, FACTORS, Factor, Level
from feedrate.environment.accelerators import PINNING_DEVICES
from feedrate.measurement.loader_kind import Workers
from feedrate.measurement.loaders import LOADERS


@dataclass(frozen=True)
class Settings:
    """A level for each factor, in the order of FACTORS."""

    levels: tuple[Level, ...]

    def __getitem__(self, name: str) -> Any:
        return self.by_name[name]

    @property
    def by_name(self) -> dict[str, Level]:
        """Each factor's level; what doesn't apply has the factor's `inapplicable`."""
        return {factor.name: level for factor, level in zip(FACTORS, self.levels, strict=True)}

    @property
    def workers(self) -> int:
        return cast(int, self["num_workers"])

    @property
    def worker_processes(self) -> int:
        """Workers that are processes of their own; a kind of loader may have threads instead."""
        return self.workers if LOADERS[self["kind"]].workers is Workers.PROCESSES else 0

    @property
    def batch_size(self) -> int:
        return cast(int, self["batch_size"])

    @property
    def batches_ahead(self) -> int:
        """The most batches that the workers hold ready."""
        return self.workers * (self["prefetch_factor"] or 0)

    @property
    def slug(self) -> str:
        """A name for folders, such as `workers-4_batch-256_persistent_fork`."""
        written = self.specification
        return "_".join(BY_NAME[name].name_of(level) for name, level in written.items())

    @property
    def specification(self) -> dict[str, Level]:
        """The settings as a specification has them: without neutral levels."""
        return {
            name: level
            for name, level in self.by_name.items()
            if level not in (None, BY_NAME[name].neutral)
        }

    @property
    def of_batches_alone(self) -> "Settings":
        """For arms without a loader: only the batch size is left."""
        bare = {name: BY_NAME[name].inapplicable for name in self.by_name}
        kept = {"num_workers": 0, "batch_size": self.batch_size, "kind": BY_NAME["kind"].neutral}
        return Settings(tuple((bare | kept).values()))

    @property
    def call(self) -> str:
        """The call to paste."""
        kind = LOADERS[self["kind"]]
        return kind.call(
            {
                factor.name: level
                for factor, level in zip(FACTORS, self.levels, strict=True)
                if factor.name != "kind" and _applies(factor, self.by_name)
            }
        )


def resolve(requested: Mapping[str, Any], device: str) -> Settings:
    """The settings that `requested`, a level for every factor, amounts to on `device`.

    Without workers there is nothing to prefetch, to keep or to start; memory is pinned only for
    a device that copies from it differently; a kind of loader leaves out what it doesn't have.
    """
    return Settings(
        tuple(
            factor.resolve(requested[factor.name])
            if _applies(factor, requested)
            and (not factor.needs_pinning or device in PINNING_DEVICES)
            else factor.inapplicable
            for factor in FACTORS
        )
    )


def by_default(settings: Settings, device: str) -> Settings:
    """The workers and the batch size of `settings`, with everything else at its default."""
    defaults = {factor.name: factor.default for factor in FACTORS}
    kept = {"num_workers": settings.workers, "batch_size": settings.batch_size}
    return resolve(defaults | kept, device)


def settings_of(specification: Mapping[str, Any]) -> Settings:
    """The settings of the cell with this specification."""
    written = specification["loader"]
    levels = {factor.name: written.get(factor.name, factor.neutral) for factor in FACTORS}
    return Settings(
        tuple(
            levels[factor.name] if _applies(factor, levels) else factor.inapplicable
            for factor in FACTORS
        )
    )


def _applies(factor: Factor, levels: Mapping[str, Any]) -> bool:
    """Whether `factor` has an effect with these levels, the device aside."""
    kind = LOADERS[levels["kind"]]
    return factor.name not in kind.without and bool(
        levels["num_workers"] or not factor.needs_workers
    )


def why_not_applicable(name: str, kinds: Iterable[str], device: str) -> str:
    """Why the factor `name` has no levels to compare on `device`, with these kinds of loader."""
    factor = BY_NAME[name]
    if factor.needs_pinning:
        return f"{name} has no effect on the device {device}, which has no memory of its own"
    without = [kind for kind in kinds if name in LOADERS[kind].without]
    if without:
        return f"the loader {without[0]} has no {name}"
    return f"{name} has no effect without workers"


# --- in words -------------------------------------------------------------------------------------


def settings_in_words(settings: Settings, other: Settings) -> str:
    """`4 workers`, and what else differs from the `other` settings: `, pinned`.

    What doesn't apply to one of them makes no difference.
    """
    workers, *others = FACTORS
    differing = [
        factor.words_of(settings[factor.name])
        for factor in others
        if settings[factor.name] != other[factor.name]
        and _has(settings, factor)
        and _has(other, factor)
    ]
    return ", ".join([workers.words_of(settings.workers), *differing])


def setting_labels(several: Iterable[Settings]) -> dict[Settings, str]:
    """For each settings its number of workers, and what else differs among them: `4, pinned`."""
    all_of_them = list(dict.fromkeys(several))
    _, *others = FACTORS
    seen = {
        factor.name: {each[factor.name] for each in all_of_them if _has(each, factor)}
        for factor in others
    }
    return {
        each: ", ".join(
            [
                str(each.workers),
                *(
                    factor.words_of(each[factor.name])
                    for factor in others
                    if len(seen[factor.name]) > 1 and _has(each, factor)
                ),
            ]
        )
        for each in all_of_them
    }


def _has(settings: Settings, factor: Factor) -> bool:
    return _applies(factor, settings.by_name) and settings[factor.name] is not None
