"""Who judges a run that is begun or gone on with in the terminal, and what models may use."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.cli.key_prompt import ask_for_key
from workbench.disk.files import real_path
from workbench.disk.places import places
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.judges import JudgeKind, Judges, Limits, Subject
from workbench.engine.options import RunOptions
from workbench.engine.state.judging import Used
from workbench.errors import CannotRead
from workbench.i18n import _, ngettext, numeral
from workbench.providers.clients import client_for


@dataclass(frozen=True, slots=True)
class _Choice:
    """One ``--judge``. *subject* None: for everything that nothing else is said about. *run*: that is replayed."""

    subject: Subject | None
    judge: JudgeKind
    run: str = ""


def _choice(text: str) -> _Choice:
    """``model``, ``conditions=person`` or ``replay:RUN``."""
    first, equals, rest = text.partition("=")
    subject, kind = (first, rest) if equals else ("", first)
    word, _colon, run = kind.partition(":")
    kinds, subjects = [each.value for each in JudgeKind], [each.value for each in Subject]
    if word not in kinds or (run and word != JudgeKind.REPLAY.value):
        raise argparse.ArgumentTypeError(
            _("“{text}” is not one of: {choices}").format(text=kind, choices=", ".join(kinds))
        )
    if equals and subject not in subjects:
        message = _("“{text}” is not one of: {choices}")
        raise argparse.ArgumentTypeError(message.format(text=subject, choices=", ".join(subjects)))
    return _Choice(Subject(subject) if equals else None, JudgeKind(word), run)


def _more_than_none(kind: Callable[[str], float]) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = -1
        if not 0 <= value < float("inf"):
            raise argparse.ArgumentTypeError(_("“{text}” is not a limit; 0 means none").format(text=text))
        return value

    return read


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take who judges, and what models may use."""
    group = parser.add_argument_group(_("judges"))
    group.add_argument(
        "--judge",
        action="append",
        default=[],
        type=_choice,
        metavar="[WHAT=]WHO",
        help=_(
            "person, script, model, or replay[:RUN] for the answers of an earlier run; "
            "WHAT: steps, conditions, triggers, react, raw or turns (of step lists)"
        ),
    )
    group.add_argument("--model", metavar="ENDPOINT[/MODEL]", help=_("the model that judges; see workbench models"))
    yes_or_no = argparse.BooleanOptionalAction
    group.add_argument("--propose", action=yes_or_no, help=_("you accept or change what the model answers"))
    group.add_argument("--hand-over", action=yes_or_no, help=_("you are asked what the model does not know"))
    whole, fraction = _more_than_none(int), _more_than_none(float)
    group.add_argument("--max-turns", type=whole, metavar="N", help=_("answers of a model for one step (default: 12)"))
    group.add_argument("--max-seconds", type=fraction, metavar="S", help=_("seconds of models for one step"))
    group.add_argument("--max-step-cost", type=fraction, metavar="USD", help=_("cost of models for one step"))
    group.add_argument("--max-requests", type=whole, metavar="N", help=_("requests to models in this run"))
    group.add_argument("--max-tokens", type=whole, metavar="N", help=_("tokens of models in this run"))
    group.add_argument("--max-cost", type=fraction, metavar="USD", help=_("cost of models in this run"))


def judged_options(options: argparse.Namespace, chosen: RunOptions, journal: Journal) -> RunOptions:
    """*chosen* with the judges and limits of *options*. Raises CannotRead, and StoreFailed where RUN is not known."""
    judges = _judges(options, chosen.judges)
    if JudgeKind.SCRIPT in judges.kinds and not chosen.script:
        raise CannotRead(_("A script judges only where one is given: --script FILE."))
    if JudgeKind.REPLAY in judges.kinds:
        judges = replace(judges, replay=_replayed(judges.replay, chosen.path, journal))
    folder = Path(chosen.path).parent if chosen.path else None
    given = {
        "turns": options.max_turns,
        "seconds": options.max_seconds,
        "step_cost_usd": options.max_step_cost,
        "requests": options.max_requests,
        "tokens": options.max_tokens,
        "cost_usd": options.max_cost,
    }
    if JudgeKind.MODEL in judges.kinds:
        ask_for_key(judges.endpoint, folder)
    limits: Limits = replace(chosen.limits, **{name: value for name, value in given.items() if value is not None})
    return replace(chosen, judges=judges, limits=limits, client=lambda: client_for(places(), folder))


def _judges(options: argparse.Namespace, judges: Judges) -> Judges:
    if options.model is not None:
        endpoint, _slash, model = options.model.partition("/")
        judges = replace(judges, endpoint=endpoint, model=model)
        if JudgeKind.MODEL not in judges.kinds and not options.judge:
            judges = replace(judges, usual=JudgeKind.MODEL)
    for choice in options.judge:
        if choice.subject is None:
            judges = replace(judges, usual=choice.judge, others=())
    for choice in options.judge:
        if choice.subject is not None:
            judges = judges.with_judge(choice.subject, choice.judge)
        judges = replace(judges, replay=choice.run) if choice.run else judges
    if options.propose is not None:
        judges = replace(judges, is_proposing=options.propose)
    if options.hand_over is not None:
        judges = replace(judges, is_handing_over=options.hand_over)
    return judges


def _replayed(run: str, path: str, journal: Journal) -> RunId:
    """The whole id of *run*, or where it is empty of the newest run of the file *path*."""
    if run:
        return journal.find(run)
    same = (each.id for each in journal.runs() if path and each.path and real_path(Path(each.path)) == Path(path))
    found = next(same, None)
    if found is None:
        raise CannotRead(_("There is no earlier run of this file to repeat. Name one: --judge replay:RUN."))
    return found


def used_text(used: Used) -> str:
    """What models have used, in one line."""
    requests = ngettext("{count} request", "{count} requests", used.requests).format(count=numeral(used.requests))
    message = _("Models: {requests}, tokens in {input} (cached {cached}), out {output}, cost {cost}")
    cost = f"${numeral(used.cost_usd, '.4f')}"
    if used.unpriced:
        cost = _("{cost}, and what has no price").format(cost=cost) if used.cost_usd else _("unknown")
    counts = {name: numeral(getattr(used, name)) for name in ("input", "cached", "output")}
    return message.format(requests=requests, cost=cost, **counts)
