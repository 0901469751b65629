"""The verbs of ``workbench edit`` that operate on steps: branches, loops, parts, comments, playbooks."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from workbench.cli.reading import step_at
from workbench.editing.commands import (
    AddOtherwise,
    ChangeLoop,
    Command,
    ConvertBranch,
    DisableSteps,
    EnableSteps,
    ExtractPlaybook,
    InlineCall,
    InvertCondition,
    JoinSteps,
    MakeExact,
    SortSteps,
    SplitStep,
    SwapBranches,
)
from workbench.i18n import N_, LazyText, _
from workbench.model.meaning import BranchForm, LoopForm
from workbench.model.program import StepId
from workbench.model.snapshot import Snapshot

_FORMS = {"if": BranchForm.IF, "else-if": BranchForm.ELSE_IF, "otherwise": BranchForm.OTHERWISE}

_LOOPS = {form.value.replace(" ", "-"): form for form in LoopForm}


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb. *options*: adds what it takes to its parser. *renumbers*: steps can get other numbers by it."""

    name: str
    description: LazyText
    example: str
    options: Callable[[argparse.ArgumentParser], None]
    build: Callable[[argparse.Namespace, Snapshot], Command]
    renumbers: bool = True


def _step(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("step", metavar="STEP")


def _steps(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("steps", nargs="+", metavar="STEP")


def _branch(parser: argparse.ArgumentParser) -> None:
    _step(parser)
    parser.add_argument("--as", dest="form", required=True, choices=list(_FORMS))


def _loop(parser: argparse.ArgumentParser) -> None:
    _step(parser)
    parser.add_argument("--as", dest="form", required=True, choices=list(_LOOPS))


def _cut(parser: argparse.ArgumentParser) -> None:
    _step(parser)
    parser.add_argument(
        "--at", type=int, help=_("after how many characters of its text; without it, where one part ends")
    )


def _apart(parser: argparse.ArgumentParser) -> None:
    _steps(parser)
    parser.add_argument("--name", default="", help=_("name of the new playbook"))


def _otherwise(parser: argparse.ArgumentParser) -> None:
    _step(parser)
    parser.add_argument("--text", default="", help=_("text of the step in it"))


def _enabled(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("steps", nargs="*", metavar="STEP", help=_("steps that it stands in or beside"))
    parser.add_argument("--line", type=int, default=0, help=_("a line of the comment that it stands in"))


def _id(options: argparse.Namespace, snapshot: Snapshot) -> StepId:
    return step_at(snapshot, options.step).id


def _ids(options: argparse.Namespace, snapshot: Snapshot) -> tuple[StepId, ...]:
    return tuple(step_at(snapshot, address).id for address in options.steps)


def _updates(options: argparse.Namespace) -> bool:
    return bool(options.updates_references)


SURGERY = (
    Verb(
        "invert",
        N_("turn the condition of a branch round"),
        "edit desk.md invert Main:02",
        _step,
        lambda options, snapshot: InvertCondition(_id(options, snapshot)),
        renumbers=False,
    ),
    Verb(
        "swap-branches",
        N_("swap If and Otherwise, with the opposite condition"),
        "edit desk.md swap-branches Main:02",
        _step,
        lambda options, snapshot: SwapBranches(_id(options, snapshot), updates_references=_updates(options)),
    ),
    Verb(
        "branch",
        N_("make a branch If, Else if or Otherwise"),
        "edit desk.md branch Main:03 --as otherwise",
        _branch,
        lambda options, snapshot: ConvertBranch(_id(options, snapshot), _FORMS[options.form]),
        renumbers=False,
    ),
    Verb(
        "add-otherwise",
        N_("add Otherwise to a decision"),
        'edit desk.md add-otherwise Main:02 --text "Tell user why not"',
        _otherwise,
        lambda options, snapshot: AddOtherwise(
            _id(options, snapshot), options.text, updates_references=_updates(options)
        ),
    ),
    Verb(
        "disable",
        N_("keep steps as a comment in their place"),
        "edit desk.md disable Main:02",
        _steps,
        lambda options, snapshot: DisableSteps(_ids(options, snapshot), updates_references=_updates(options)),
    ),
    Verb(
        "enable",
        N_("bring disabled steps back"),
        "edit desk.md enable --line 12",
        _enabled,
        lambda options, snapshot: EnableSteps(
            _ids(options, snapshot), options.line, updates_references=_updates(options)
        ),
    ),
    Verb(
        "loop",
        N_("make a loop one of another kind that does the same"),
        "edit desk.md loop Main:02 --as while",
        _loop,
        lambda options, snapshot: ChangeLoop(
            _id(options, snapshot), _LOOPS[options.form], updates_references=_updates(options)
        ),
    ),
    Verb(
        "split",
        N_("make two steps of one"),
        "edit desk.md split Main:02",
        _cut,
        lambda options, snapshot: SplitStep(_id(options, snapshot), options.at, updates_references=_updates(options)),
    ),
    Verb(
        "join",
        N_("make one step of several"),
        "edit desk.md join Main:02 Main:03",
        _steps,
        lambda options, snapshot: JoinSteps(_ids(options, snapshot), updates_references=_updates(options)),
    ),
    Verb(
        "sort",
        N_("sort steps by their text, or those inside one"),
        "edit desk.md sort Main:02",
        _steps,
        lambda options, snapshot: SortSteps(_ids(options, snapshot), updates_references=_updates(options)),
    ),
    Verb(
        "exact",
        N_("write a sentence in its exact form"),
        "edit desk.md exact Main:02",
        _step,
        lambda options, snapshot: MakeExact(_id(options, snapshot)),
        renumbers=False,
    ),
    Verb(
        "extract",
        N_("move steps into a playbook of their own and call it"),
        "edit desk.md extract Main:02 Main:03 --name Settle",
        _apart,
        lambda options, snapshot: ExtractPlaybook(
            _ids(options, snapshot), options.name, updates_references=_updates(options)
        ),
    ),
    Verb(
        "inline",
        N_("put the steps of a playbook in place of a call"),
        "edit desk.md inline Main:02",
        _step,
        lambda options, snapshot: InlineCall(_id(options, snapshot), updates_references=_updates(options)),
    ),
)
