"""What must be settled before a run can start: may its Python run, and with which arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.engine.trust import changed_since
from workbench.errors import RunFailed
from workbench.gui.control.running.run_judges import chosen_judges
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.model.program import Parameter, Program
from workbench.model.snapshot import Snapshot
from workbench.settings import Settings

if TYPE_CHECKING:
    from workbench.engine.language.program.book import PlaybookTarget
    from workbench.engine.options import RunOptions
    from workbench.engine.starts import WouldStart
    from workbench.model.procedures.placeholders import Placeholder


@dataclass(frozen=True, slots=True)
class TrustQuestion:
    """Whether *code*, which is Python with the steps that call it, and servers, may run.

    *digest*: the name under which the decision is kept. *file*: where it stands, if it stands anywhere. *changes*: how
    it differs from what was allowed for that file before. *starts*: the same in its parts.
    """

    digest: str
    code: str
    file: Path | None = None
    changes: str = ""
    starts: WouldStart | None = None


@dataclass(frozen=True, slots=True)
class ArgumentsQuestion:
    """The values that *playbook* needs before it can start with *options*."""

    playbook: str
    parameters: tuple[Parameter, ...]
    options: RunOptions


@dataclass(frozen=True, slots=True)
class ProcedureQuestion:
    """Which *chapters* (name, title) of the procedure *title* are gone through; what is put in for *placeholders*."""

    title: str
    chapters: tuple[tuple[str, str], ...]
    placeholders: tuple[Placeholder, ...]
    options: RunOptions
    has_boxes: bool = False

    def answered(self, chapters: tuple[str, ...], values: Mapping[str, str], *, ticks: bool = False) -> RunOptions:
        """The options of the run that was chosen."""
        return replace(self.options, chapters=chapters, arguments={**self.options.arguments, **values}, ticks=ticks)


def trust_question(program: Program, file: Path | None, allowed: Path) -> TrustQuestion | None:
    """What there is to be trusted in *program* of *file* and its project, or None where nothing would start.

    *allowed*: the folder of what was allowed before.
    """
    from workbench.engine.starts import would_start  # noqa: PLC0415 - the engine loads with the first run

    starts = would_start(program, file)
    if starts.is_nothing:
        return None
    changes = changed_since(allowed, file, starts.text) if file is not None else ""
    return TrustQuestion(starts.digest, starts.text, file, changes, starts)


def arguments_question(entry: PlaybookTarget, program: Program, options: RunOptions) -> ArgumentsQuestion | None:
    """The parameters of *entry* that have neither a default nor a value in *options*; None: it can start.

    Those that *program* compares or computes with are numbers.
    """
    from workbench.model.number_types import number_types  # noqa: PLC0415 - no start needs it

    playbook, types = entry.playbook, number_types(program)
    needed = (parameter for parameter in playbook.parameters if parameter.default is None)
    missing = [parameter for parameter in needed if parameter.name not in options.arguments]
    typed = (types.typed(entry.agent, playbook.name, Variable(one.name, one.is_state, one.type)) for one in missing)
    asked = tuple(replace(one, type=variable.type) for one, variable in zip(missing, typed, strict=True))
    return ArgumentsQuestion(playbook.name, asked, options) if asked else None


def preparation(
    snapshot: Snapshot, options: RunOptions | None, settings: Settings, file: Path | None, allowed: Path
) -> RunOptions | TrustQuestion | ArgumentsQuestion | ProcedureQuestion | str:
    """The options to start with, or what must be asked first, or the reason why *snapshot* cannot run.

    *options* None: as a person expects who presses Run and says nothing else. *file*, *allowed*: as for
    ``trust_question``.
    """
    from workbench.engine.language.program.book import Book, entry_of, waits_at_once  # noqa: PLC0415

    given = options or default_options(settings, file)
    book = Book(snapshot)
    entry = entry_of(book, given.playbook)
    is_procedure = any(playbook.is_chapter for playbook in snapshot.program.playbooks)
    if entry is None and not is_procedure:
        return _("There is no playbook to run. Add a playbook (## Name) with at least one step.")
    trust = trust_question(snapshot.program, file, allowed)
    if trust is not None and not settings.is_trusted(trust.digest, file):
        return trust
    # the playbook stays as it was given: where none was chosen, everything that starts by itself is started
    ready = replace(given, is_trusted=True)
    if is_procedure:
        return procedure_question(snapshot, ready)
    if entry is None or waits_at_once(book, given.playbook):
        return ready
    return arguments_question(entry, snapshot.program, ready) or ready


def procedure_question(snapshot: Snapshot, options: RunOptions) -> RunOptions | ProcedureQuestion | str:
    """What must be asked before the procedure of *snapshot* starts; *options* where all has been said."""
    from workbench.engine.language.procedures.start import chosen_chapters, left_open, title_of  # noqa: PLC0415

    try:
        wanted = (options.playbook,) if options.playbook else options.chapters
        chapters = tuple((one.playbook.name, one.playbook.title) for one in chosen_chapters(snapshot.program, wanted))
        asked = left_open(snapshot, wanted)
    except RunFailed as error:
        return str(error)
    steps = (step for playbook in snapshot.program.playbooks for each in playbook.steps for step in each.walk())
    has_boxes = any(step.is_ticked is False for step in steps)
    is_settled = bool(options.chapters) or (len(chapters) == 1 and not asked and not has_boxes)
    if is_settled:
        return options
    return ProcedureQuestion(title_of(snapshot.program), chapters, asked, options, has_boxes)


def default_options(settings: Settings, file: Path | None) -> RunOptions:
    """What a run of *file* is started with when nothing else was said."""
    from workbench.engine.options import RunOptions  # noqa: PLC0415 - the engine loads with the first run

    chosen = chosen_judges(settings, file)
    return RunOptions(
        python_timeout_s=settings.python_timeout_s,
        python_memory_mb=settings.python_memory_mb,
        judges=chosen.judges,
        limits=chosen.limits,
    )
