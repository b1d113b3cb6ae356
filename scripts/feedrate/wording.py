"""Words that several places say alike."""


def counted_workers(count: int) -> str:
    """`1 worker`, `4 workers`."""
    return "1 worker" if count == 1 else f"{count} workers"
