"""The data from the web servers that torchvision uses."""

import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from feedrate.dataset.progress import Reporter
from feedrate.dataset.registry import DataFile, Dataset
from feedrate.dataset.sources import CHUNK, SourceError, extract

PAUSES_S = (1.0, 2.0)
"""Seconds before each attempt after the first."""
TIMEOUT_S = 30.0
"""Seconds without a byte after which an attempt has failed."""
PASSING = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}
"""Answers that another attempt may change, besides the server's own errors (5xx)."""


class RefusedError(SourceError):
    """The server will not give the file, however often it is asked."""


def from_mirrors(
    dataset: Dataset,
    folder: Path,
    reporter: Reporter,
    *,
    sleep: Callable[[float], None] = time.sleep,
    timeout_s: float = TIMEOUT_S,
) -> None:
    """Download every file into `folder`, each from the first mirror that has it intact.

    Raises SourceError with every mirror's last failure for the first file that none has.
    """
    for file in dataset.files:
        failures = []
        for mirror in dataset.mirrors:
            url = f"{mirror}{file.name}.gz"
            fetch = partial(_fetch, url, folder, file, dataset, reporter, timeout_s)
            try:
                _with_retries(fetch, reporter, sleep)
                break
            except SourceError as error:
                failures.append(str(error))
        else:
            raise SourceError("; ".join(failures))


def _with_retries(
    fetch: Callable[[], None], reporter: Reporter, sleep: Callable[[float], None]
) -> None:
    for pause_s in PAUSES_S:
        try:
            return fetch()
        except RefusedError:
            raise
        except SourceError as error:
            reporter.note(f"{error}; next attempt in {pause_s:g} s")
            sleep(pause_s)
    return fetch()


def _fetch(
    url: str,
    folder: Path,
    file: DataFile,
    dataset: Dataset,
    reporter: Reporter,
    timeout_s: float,
) -> None:
    archive = folder / f"{file.name}.gz"
    try:
        _download(url, archive, reporter, timeout_s)
        extract(archive, folder / file.name, file, dataset)
    except HTTPError as error:
        passing = error.code >= HTTPStatus.INTERNAL_SERVER_ERROR or error.code in PASSING
        kind = SourceError if passing else RefusedError
        raise kind(f"{url}: HTTP {error.code} {error.reason}") from error
    except URLError as error:
        raise SourceError(f"{url}: {error.reason}") from error
    except (OSError, HTTPException, SourceError) as error:
        raise SourceError(f"{url}: {error}") from error
    finally:
        archive.unlink(missing_ok=True)


def _download(url: str, archive: Path, reporter: Reporter, timeout_s: float) -> None:
    with urlopen(url, timeout=timeout_s) as response, archive.open("wb") as out:
        announced = int(response.headers.get("Content-Length", 0))
        while chunk := response.read(CHUNK):
            out.write(chunk)
            if announced:
                reporter.progress(archive.name, out.tell() / announced)
        # Reading a response in pieces does not complain if the connection ends early.
        if out.tell() < announced:
            raise SourceError(f"broke off after {out.tell():,} of {announced:,} bytes")
