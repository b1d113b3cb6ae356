"""What config.yaml may say. The JSON schema for editors is generated from this model."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from feedrate.configuration.factors import FACTORS
from feedrate.measurement.arm import Role
from feedrate.measurement.arms import ARMS
from feedrate.measurement.models import MODELS
from feedrate.measurement.workloads import WORKLOADS

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$", max_length=40)]
Positive = Annotated[int, Field(ge=1)]
Workers = Annotated[int, Field(ge=0, le=512)]
DeviceName = Literal["auto", "cuda", "xpu", "mps", "cpu", "emulated"]
Source = Literal["mirrors", "debian", "local"]
CEILINGS = {name: arm for name, arm in ARMS.items() if arm.role is Role.CEILING}

if TYPE_CHECKING:
    CeilingArm = str
    WorkloadName = str
    ModelName = str
else:
    CeilingArm = Literal[tuple(CEILINGS)]
    WorkloadName = Literal[tuple(WORKLOADS)]
    ModelName = Literal[tuple(MODELS)]


def _listed(value: Any) -> Any:
    """One level of a factor may be written without brackets."""
    return value if isinstance(value, list) else [value]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Dataset(Section):
    """Where the workload's data comes from, and how much of it is used."""

    folder: str = Field("data", description="Folder that keeps the downloaded data.")
    images: Literal["all"] | Positive = Field(
        "all", description="Training images in an epoch: all, or how many, from the first on."
    )
    sources: list[Source] = Field(
        ["mirrors", "debian", "local"],
        min_length=1,
        description="Tried in this order until one provides the right files.",
    )
    local_folder: str | None = Field(
        None, description="Folder with the workload's files, for the source `local`."
    )


class Training(Section):
    """The training loop around the loader."""

    model: ModelName | None = Field(
        None, description="What is trained; null is the workload's own model."
    )
    epochs: int = Field(
        2, ge=2, le=1000, description="Epochs over one loader; all but the first are warm."
    )
    learning_rate: float = Field(0.001, gt=0, description="Learning rate of Adam.")


class Emulated(Section):
    """The accelerator that `device: emulated` stands for."""

    images_per_second: float = Field(
        119_045, gt=0, description="Rate at which it trains when it never waits for data."
    )


class _Sweep(Section):
    conditions: list[Name] = Field(min_length=1, description="Names of conditions.")
    repetitions: Literal["auto"] | Annotated[int, Field(ge=1, le=1000)] = Field(
        description="Rounds, in each of which every cell is measured; auto decides from results."
    )

    @property
    def levels(self) -> dict[str, list[Any]]:
        """The factors that the sweep names, with their levels."""
        named = ((factor.name, getattr(self, factor.name)) for factor in FACTORS)
        return {name: levels for name, levels in named if levels is not None}


if TYPE_CHECKING:
    Loader = Section
    Sweep = _Sweep
else:
    Loader = create_model(
        "Loader",
        __base__=Section,
        __doc__="Settings of the loader, for whatever a sweep doesn't vary.",
        **{
            factor.name: (factor.level, Field(factor.default, description=factor.description))
            for factor in FACTORS
        },
    )
    Sweep = create_model(
        "Sweep",
        __base__=_Sweep,
        __doc__="Every combination of the factors below for every condition named.",
        **{
            factor.name: (
                Annotated[list[factor.level], Field(min_length=1), BeforeValidator(_listed)] | None,
                Field(None, description=factor.description),
            )
            for factor in FACTORS
        },
    )


class AutoRepetitions(Section):
    """When `repetitions: auto` stops."""

    minimum: int = Field(5, ge=2, le=1000, description="Rounds before anything is decided.")
    maximum: int = Field(30, ge=2, le=1000, description="Rounds after which it stops in any case.")
    relative_width: float = Field(
        0.05,
        gt=0,
        description="Enough when the median's interval is no wider than this share of the median.",
    )


class Ceilings(Section):
    """What bounds the training, measured in the same rounds as the training."""

    arms: list[CeilingArm] = Field(
        [],
        description="; ".join(f"{name}: {arm.meaning}" for name, arm in CEILINGS.items()) + ".",
    )


class Leak(Section):
    """Many epochs over one loader with persistent workers: does memory grow?"""

    conditions: list[Name] = Field(min_length=1, description="Names of conditions.")
    num_workers: Annotated[int, Field(ge=1, le=512)] = Field(2, description="Worker processes.")
    epochs: int = Field(10, ge=3, le=1000, description="Epochs over the one loader.")


class Resources(Section):
    """Memory, CPU and device use, from repetitions of their own that are never timed."""

    instrumented: bool = Field(
        False, description="One further, instrumented repetition of all conditions and settings."
    )
    sample_seconds: float = Field(0.25, ge=0.02, le=10, description="Seconds between samples.")
    leak: Leak | None = Field(None, description="Long instrumented runs, if any.")


class Sessions(Section):
    """When later measurements count as a session of their own."""

    gap_minutes: float = Field(
        30, ge=0, description="After so long without a measurement, the next starts a new session."
    )
    anchor_repetitions: int = Field(
        3,
        ge=2,
        le=100,
        description="Repetitions of a setting of the first session in every later one.",
    )


class Limits(Section):
    """How long to wait before a cell counts as hung."""

    batch_seconds: int = Field(120, ge=1, description="Limit for one batch from the workers.")
    cell_seconds: int = Field(1800, ge=1, description="Limit for a whole cell.")


class Report(Section):
    """The page."""

    title: str = Field(
        "How many DataLoader workers feed this accelerator?", description="Title of the page."
    )
    language: Literal["en", "ja", "zh"] = Field(
        "en", description="Language of the answer and of all captions; other prose is in English."
    )
    url: str | None = Field(
        None,
        pattern=r"^https?://\S+$",
        description="Address where the page will be published, for the preview of links to it.",
    )
    compare: list[str] = Field(
        [],
        description="Bundles that `make publish` wrote on other machines: paths of bundle.zip, or "
        "of folders.",
    )


Transform = str | dict[str, dict[str, Any] | None]
"""A class name, or one class name with its keyword arguments."""


class Experiment(Section):
    """The whole configuration of feedrate."""

    results: str = Field("results", min_length=1, description="Folder for all results.")
    device: DeviceName = Field(
        "auto", description="auto takes CUDA, else XPU, else MPS, else the CPU."
    )
    threads: Literal["auto"] | Positive = Field(
        "auto", description="torch's threads in the main process; auto is one per physical core."
    )
    seed: int = Field(
        20260824, ge=0, lt=2**31, description="Seed of shuffling, weights and the order of cells."
    )
    workload: WorkloadName = Field(
        "fashion-mnist", description="Data and model: what is trained on what."
    )
    dataset: Dataset = Dataset()
    training: Training = Training()
    emulated: Emulated = Emulated()
    loader: Loader = Loader()
    transforms_api: Literal["v1", "v2"] = Field(
        "v1", description="torchvision.transforms or torchvision.transforms.v2."
    )
    conditions: dict[Name, list[Transform] | str] = Field(
        min_length=1,
        description="Name to transforms: a list of torchvision classes with arguments, "
        "or the dotted path of a callable of your own.",
    )
    sweeps: dict[Name, Sweep] = Field(min_length=1, description="What is measured.")
    auto_repetitions: AutoRepetitions = AutoRepetitions()
    ceilings: Ceilings = Ceilings()
    resources: Resources = Resources()
    sessions: Sessions = Sessions()
    limits: Limits = Limits()
    report: Report = Report()


def json_schema() -> dict[str, Any]:
    """The schema that editors use to complete and check config.yaml."""
    schema = Experiment.model_json_schema()
    for factor in FACTORS:
        field = schema["$defs"]["Sweep"]["properties"][factor.name]
        array = next(option for option in field["anyOf"] if option.get("type") == "array")
        field["anyOf"].append(array["items"])
    return schema
