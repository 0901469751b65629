"""``workbench generate "GOAL"``: from a goal to a playbook, with a model, a person, a script, or a plan in a file.

With ``--run`` what was made is carried out at once, watched, and gone on with where it deviates.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from workbench.cli.reading import read_snapshot, read_source
from workbench.cli.running.following import begin as begin_run
from workbench.cli.running.following import go_along, shown_events
from workbench.cli.running.judging import add_judging, judged_options
from workbench.cli.running.run import add_answering, backend_for, person_here
from workbench.cli.running.servers import may_start, ready, tell_problems
from workbench.cli.running.store import patterns_file_in, shelf_file_in
from workbench.cli.terminal import FINE, Commands, add_command, complain, hand_out
from workbench.disk.files import absolute, is_folder, is_there, read_file, real_path
from workbench.disk.places import places
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.backends.script import ScriptBackend, ScriptedWalker
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.judges import JudgeKind
from workbench.engine.judging.starting import as_judged
from workbench.engine.language.procedures.start import who
from workbench.engine.options import RunOptions
from workbench.engine.ports import JudgementBackend
from workbench.engine.running.run import Run
from workbench.engine.scripts import parse_script, read_script
from workbench.engine.servers import server_boxes, servers_named
from workbench.engine.state.fold import fold
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _
from workbench.library.store import PatternStore
from workbench.model.format import TextFormat
from workbench.model.snapshot import Snapshot, derive
from workbench.planning.cycle import Means, NoHands, Seed, begin, folded, resume, seed_from
from workbench.planning.deviation.carrying import Attend, RunHands
from workbench.planning.lessons import KnownPatterns
from workbench.planning.offering import (
    named_offers,
    offer_of,
    server_offers,
    usual_offers,
    with_project,
)
from workbench.planning.plan import Plan, PlanRefused, plan_from_json
from workbench.planning.request import DeviationKind, Offer, PlanRequest, PlaybookFormat, Policy, Review
from workbench.planning.shelf.keeping import ShelfHands, known_for
from workbench.planning.shelf.notes import Notes, told
from workbench.planning.shelf.store import Shelf
from workbench.planning.stages import Hands, Stage
from workbench.planning.templates import plan_of_pattern, plan_of_playbook
from workbench.project.around import problems_of_project
from workbench.settings import load_settings
from workbench.syntax.data.nodes import plain_value
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.imports import has_imports, join_program
from workbench.syntax.text import LineIndex, SourceText
from workbench.tools.permissions import Permissions

_NAME = "generated.md"


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "generate",
        _("make a playbook from a goal"),
        'generate "Refund an order" --tools load_order --judge model -o refund.md',
        _(
            "The playbook is checked and reviewed before it is written or run. Exit code: 0 done, 1 it did not come to "
            "that, 2 a file cannot be used, 3 input required but not available, 130 interrupted."
        ),
    )
    parser.add_argument("goal", nargs="?", default="", metavar="GOAL", help=_("what is to be reached, in words"))
    _add_wishes(parser)
    _add_going_on(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help=_("write to OUT, which must not exist"))
    add_answering(parser)
    add_run_wishes(parser)
    add_judging(parser)
    parser.set_defaults(execute=execute)


def _add_wishes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--context", default="", metavar="TEXT", help=_("what else should be known"))
    parser.add_argument(
        "--tools",
        nargs="+",
        default=None,
        metavar="TOOL",
        help=_(
            "tools, servers of tools (all of theirs) and files with playbooks that may be called (default: built-in "
            "tools, and the project's)"
        ),
    )
    formats = [each.value for each in PlaybookFormat]
    parser.add_argument("--format", choices=formats, default=formats[0], help=_("the form of the playbook"))
    parser.add_argument("--plan", type=Path, metavar="FILE", help=_("a plan in JSON or YAML; none is asked for then"))
    parser.add_argument(
        "--template",
        default="",
        metavar="FROM",
        help=_("a playbook file, or a pattern's id, to make the plan of"),
    )
    parser.add_argument(
        "--free-text", action="store_true", help=_("whoever judges writes the text, instead of the rules for plans")
    )
    parser.add_argument("--observe", action="store_true", help=_("whoever judges also looks at each step before"))
    parser.add_argument("--new", action="store_true", help=_("do not ask whether a playbook on the shelf will do"))
    parser.add_argument("--no-shelf", action="store_true", help=_("use neither the shelf nor its notes"))
    parser.add_argument("--yes", action="store_true", help=_("accept it where the rules have no objection"))


def _add_going_on(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(_("earlier ones"))
    either = group.add_mutually_exclusive_group()
    either.add_argument("--resume", default="", metavar="RUN", help=_("go on with one that was interrupted"))
    either.add_argument("--again", default="", metavar="RUN", help=_("do a stage once more, and all that follows it"))
    stages = [each.value for each in Stage][:4]
    group.add_argument("--stage", choices=stages, default="plan", help=_("with --again: the stage (default: plan)"))
    group.add_argument("--text", type=Path, metavar="FILE", help=_("with --again: the playbook as you have changed it"))


def execute(options: argparse.Namespace) -> int:
    """Make the playbook, and write or print it."""
    if options.output is not None and is_there(options.output):
        raise CannotSave(_("“{name}” is there already. Choose another name.").format(name=options.output.name))
    if options.output is not None and not is_folder(absolute(options.output).parent):
        message = _("There is no folder “{folder}”, so “{name}” could not be written. Make it first.")
        raise CannotSave(message.format(folder=options.output.parent, name=options.output.name))
    if not options.goal.strip() and not options.resume and not options.again:
        raise CannotRead(_("The goal is empty. Say what is to be reached."))
    if options.text is not None and not options.again:
        raise CannotRead(_("--text is for --again: it names the playbook that is changed."))
    if options.on_deviation and not options.run:
        raise CannotRead(_("--on-deviation is for --run."))
    if options.look and not options.run:
        raise CannotRead(_("--look is for --run."))
    options.quiet = options.quiet or (options.output is None and not options.json)
    begin_one = _resumed if options.resume else _begun
    made: list[Run] = []

    def start(journal: Journal) -> Run:
        made.append(begin_one(options, journal))
        return made[0]

    code = begin_run(start, options)
    if code == FINE and not (options.run and options.output is None):
        hand_out(options, str(made[0].result))
    return code


def _begun(options: argparse.Namespace, journal: Journal) -> Run:
    """A new cycle, from the goal or from a stage of an earlier one."""
    script = read_script(options.script) if options.script is not None else ""
    plan = _plan_in(options.plan) if options.plan is not None else _from_template(options)
    if options.again:
        stage = (
            Stage.GENERATE if plan is not None else Stage.CHECK if options.text is not None else Stage(options.stage)
        )
        request, seed = seed_from(journal, journal.find(options.again), stage)
        text = SourceText.decode(read_file(options.text)).text if options.text is not None else seed.text
        seed = replace(seed, plan=plan or seed.plan, text=text)
        request = replace(request, goal=options.goal.strip() or request.goal)
    else:
        request, seed = request_of(options), Seed(plan)
    judged = judged_options(options, RunOptions(script=script), journal)
    backend = backend_for_cycle(script)
    if not options.no_shelf:
        can_ask = backend.name == "person" or judged.judges.usual is JudgeKind.MODEL
        is_offered = can_ask and not (options.new or options.again or seed.plan is not None)
        request = with_shelf(request, options.store, is_offered=is_offered)
    return begin(request, journal, backend, Means(hands_of(options, journal, judged), judged, seed))


def _resumed(options: argparse.Namespace, journal: Journal) -> Run:
    """The cycle that *options* name, going on where it was."""
    events = journal.check(journal.find(options.resume))
    origin = fold(events).origin
    options.format = folded(events).request.format.value
    script = read_script(options.script) if options.script is not None else origin.script
    judged = judged_options(options, as_judged(RunOptions(script=script), origin), journal)
    backend = backend_for_cycle(script)
    if isinstance(backend, ScriptBackend):
        backend.catch_up(events)
    return resume(events[0].run, journal, backend, Means(hands_of(options, journal, judged), judged))


def hands_of(options: argparse.Namespace, journal: Journal, judged: RunOptions) -> Hands:
    """Who carries the playbook out, where that is wanted, and who keeps it."""
    folder = _folder(options)
    keeper: Hands = NoHands() if options.no_shelf else ShelfHands(shelf_file_in(options.store), who(), folder)
    return run_hands(options, journal, judged, keeper, folder)


def with_shelf(request: PlanRequest, store: Path | None, *, is_offered: bool) -> PlanRequest:
    """*request* with what the shelf knows of the person, and the playbook that may do; tells of it otherwise."""
    if not is_there(shelf_file_in(store)):
        return request
    shelf = Shelf(shelf_file_in(store), who())
    try:
        known = known_for(shelf, request)
        if known is not None and not is_offered:
            words = _("There is a playbook on the shelf that may do this: {id} “{title}” ({record}).")
            complain(words.format(id=known.id, title=known.title, record=known.record))
        notes = told(Notes(shelf).woven()) if load_settings(places()).uses_notes else ()
        return replace(request, notes=notes, known=known if is_offered else None)
    finally:
        shelf.close()


def backend_for_cycle(script: str) -> JudgementBackend:
    """Who answers what no model does: the *script*, else the person at the terminal, else nobody. Raises CannotRead."""
    return ScriptBackend(parse_script(script), person_here()) if script else person_here() or NobodyBackend()


def _folder(options: argparse.Namespace) -> Path:
    """From where the files are named that the playbook imports."""
    return absolute(options.output).parent if options.output is not None else absolute(Path())


def request_of(options: argparse.Namespace) -> PlanRequest:
    """What *options* want. Raises CannotRead, RunFailed where tools of the project cannot be read."""
    folder = _folder(options)
    more = _of_servers(options, folder)
    offers, imports = (*usual_offers(folder), *more), tuple[str, ...]()
    if options.tools is not None:
        offers, imports = named_offers(options.tools, folder, more)
    goal, worked = options.goal.strip(), KnownPatterns(patterns_file_in(options.store))
    request = PlanRequest(goal, options.context, PlaybookFormat(options.format), offers, imports, worked(goal))
    review = Review.RULES if options.yes else Review.PERSON
    request = replace(request, is_free=options.free_text, has_observer=options.observe, review=review)
    for problem in problems_of_project(folder):
        complain(problem)
    request = replace(request, is_run=options.run, policies=dict(options.on_deviation), looks=max(0, options.look))
    return with_project(replace(request, accepts_by_policy=options.accept), folder)


def _of_servers(options: argparse.Namespace, folder: Path) -> tuple[Offer, ...]:
    """The tools of the project's servers, as they were last; as they are now, where servers may start."""
    named = servers_named(folder)
    for problem in named.problems:
        complain(problem)
    if not options.trust:
        return server_offers(folder, places())
    boxes = server_boxes(named, may_start(options), places())
    try:
        found = tuple(offer_of(spec) for box in boxes for spec in box.specs())
        tell_problems(boxes)
        return found
    finally:
        for box in boxes:
            box.close()


def _from_template(options: argparse.Namespace) -> Plan | None:
    """The plan of the file or the pattern that *options* name; None where they name none. Raises CannotRead."""
    if not options.template:
        return None
    if is_there(Path(options.template)):
        path = Path(options.template)
        return plan_of_playbook(read_snapshot(path), path=path)
    store = PatternStore(patterns_file_in(options.store))
    try:
        found = [each for each in store.patterns() if each.pattern_id.startswith(options.template)]
        if not found or found[1:]:
            message = _("“{name}” is neither a file nor the id of one pattern.")
            raise CannotRead(message.format(name=options.template))
        return plan_of_pattern(found[0], store.variants(found[0].pattern_id))
    finally:
        store.close()


def _plan_in(path: Path) -> Plan:
    """The plan in the file *path*. Raises CannotRead."""
    text = SourceText.decode(read_file(path)).text
    parse = read_yaml(text)  # JSON is YAML too
    if parse.root is None or parse.diagnostics:
        reason = _("it is empty")
        if parse.diagnostics:
            line = LineIndex.of(text).line(parse.diagnostics[0].span.start) + 1
            words = _("line {line}: {message}")
            reason = words.format(line=line, message=parse.diagnostics[0].message)
        raise CannotRead(_("“{name}” holds no plan: {reason}").format(name=path.name, reason=reason))
    try:
        return plan_from_json(plain_value(parse.root))
    except PlanRefused as error:
        raise CannotRead(_("“{name}” holds no plan: {reason}").format(name=path.name, reason=error)) from error


def add_run_wishes(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take whether the playbook is run, and what is done where the run is not as planned."""
    group = parser.add_argument_group(_("running it"))
    group.add_argument("--run", action="store_true", help=_("carry it out once it is accepted"))
    group.add_argument(
        "--on-deviation",
        action="append",
        default=[],
        type=_policy,
        metavar="KIND=HOW",
        help=_("KIND: {kinds}; HOW: {ways}").format(
            kinds=", ".join(each.value for each in DeviationKind), ways=", ".join(each.value for each in Policy)
        ),
    )
    group.add_argument(
        "--look",
        type=int,
        nargs="?",
        const=5,
        default=0,
        metavar="N",
        help=_("ask whoever judges, at most N times meanwhile (default: 5), whether it still leads to the goal"),
    )
    group.add_argument("--accept", action="store_true", help=_("take another text without asking where it can go on"))


def _policy(text: str) -> tuple[str, str]:
    """``failed=retry``."""
    kind, _equals, how = text.partition("=")
    if kind not in {each.value for each in DeviationKind} or how not in {each.value for each in Policy}:
        raise argparse.ArgumentTypeError(_("“{text}” is not written like failed=retry").format(text=text))
    return kind, how


def run_hands(
    options: argparse.Namespace, journal: Journal, judged: RunOptions, keeper: Hands, folder: Path
) -> RunHands:
    """Who carries out what a cycle makes, in *folder*, and has *keeper* keep it."""
    is_list = options.format == PlaybookFormat.STEPLIST.value
    format_ = TextFormat.STEPLIST if is_list else TextFormat.MARKDOWN

    def backend(events: tuple[RunEvent, ...]) -> JudgementBackend:
        made = backend_for(judged.script or None, format_, judged.judges, person_here())
        if isinstance(made, ScriptBackend | ScriptedWalker):
            made.catch_up(events)
        return made

    carried = replace(
        judged,
        path=str(real_path(folder / _NAME)),
        is_trusted=options.trust,
        policy=Permissions(tuple(options.allow), environment=tuple(options.env)),
        once=True,
    )
    recall = KnownPatterns(patterns_file_in(options.store))
    hands = RunHands(journal, backend, keeper, carried, _attending(options), partial(_read, folder), recall)
    hands.equip = lambda said, snapshot: ready(options, said, snapshot.program)
    return hands


def _attending(options: argparse.Namespace) -> Attend:
    """Prints what happens as *options* say, and asks the person."""
    show_event = shown_events(options)

    def attend(run: Run, take: Callable[[RunEvent], None]) -> None:
        def both(event: RunEvent) -> None:
            take(event)
            show_event(event)

        go_along(run, both)

    return attend


def _read(folder: Path, text: str) -> Snapshot:
    """What *text* means, with what it imports from *folder*."""
    if not has_imports(text):
        return derive(SourceText(text))
    joined = join_program([(folder / _NAME, text)], lambda path: read_source(path).text, ())
    return derive(SourceText(joined.text))
