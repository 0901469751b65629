"""Follows a run to its end on the terminal: prints its events, asks its questions, gives the exit code."""

from __future__ import annotations

import sys

from workbench.cli.exit_codes import FINDINGS, FINE, INPUT_NEEDED, INTERRUPTED, UNUSABLE
from workbench.cli.run_lines import ShowEvent
from workbench.cli.run_prompt import ask
from workbench.cli.terminal import complain
from workbench.engine.runner import Run
from workbench.engine.state import RunStatus
from workbench.errors import InputNeeded
from workbench.i18n import _

_POLL_S = 0.02


def is_at_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def follow(run: Run, show_event: ShowEvent, resuming: str) -> int:
    """The exit code of *run*, whose events are printed until it ends.

    Ctrl+C stops it, the end of the input lets go of it. *resuming* says how to go on with one
    that has not come to its end.
    """
    try:
        while not run.wait(_POLL_S):
            _show_new(run, show_event)
            _answer(run, show_event)
    except KeyboardInterrupt:
        run.stop()
        run.wait()
    except EOFError:
        run.leave()
        run.wait()
        complain(_("The input ended before the question was answered."))
    except BrokenPipeError:
        run.leave()
        run.wait()
        raise
    _show_new(run, show_event)
    return _exit_code(run, resuming)


def _show_new(run: Run, show_event: ShowEvent) -> None:
    while events := run.drain():
        for event in events:
            show_event(event)


def _answer(run: Run, show_event: ShowEvent) -> None:
    """Ask the person what the run waits for, where it waits for a person."""
    request = run.pending
    if request is None or not run.is_asking_person:
        return
    _show_new(run, show_event)
    run.answer(request.id, ask(request))


def _exit_code(run: Run, resuming: str) -> int:
    status = run.state.status
    if status is RunStatus.COMPLETED:
        return FINE
    if status is RunStatus.CANCELLED:
        complain(_("The run was stopped.") + " " + resuming)
        return INTERRUPTED
    if run.halt is not None:
        complain(str(run.halt))
        complain(resuming)
        return INPUT_NEEDED if isinstance(run.halt, InputNeeded) else UNUSABLE
    if status is RunStatus.FAILED:
        complain(run.state.error)
        return FINDINGS
    complain(resuming)
    return FINDINGS
