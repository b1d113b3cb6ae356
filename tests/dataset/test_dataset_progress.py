"""What a terminal and a log show of a transfer."""

import io

from feedrate.dataset.progress import Reporter, reporter_for


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def transfer(reporter: Reporter) -> None:
    for done in range(1001):
        reporter.progress("images.gz", done / 1000)


def test_a_log_gets_few_plain_lines() -> None:
    log = io.StringIO()
    transfer(reporter_for(log))
    assert log.getvalue().splitlines() == [f"images.gz {n} %" for n in (25, 50, 75, 100)]


def test_a_second_attempt_is_shown_from_its_start() -> None:
    log = io.StringIO()
    reporter = reporter_for(log)
    for fraction in (0.6, 0.1, 0.6):
        reporter.progress("images.gz", fraction)
    assert log.getvalue().splitlines() == ["images.gz 50 %"] * 2


def test_a_terminal_redraws_one_line() -> None:
    terminal = Terminal()
    transfer(reporter_for(terminal))
    text = terminal.getvalue()
    assert text.count("\n") == 1
    assert text.endswith(f"\rimages.gz [{'#' * 30}] 100 %\n")
    assert 50 < text.count("\r") < 150  # of 1001 reports: drawn only when it looks different


def test_a_note_does_not_overwrite_an_unfinished_bar() -> None:
    terminal = Terminal()
    reporter = reporter_for(terminal)
    reporter.progress("images.gz", 0.5)
    reporter.note("broke off")
    assert terminal.getvalue().endswith("50 %\nbroke off\n")
