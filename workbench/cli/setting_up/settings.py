"""``workbench settings``: what can be set, what is set, and setting it, by the same table as the window."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, complain, show, show_json
from workbench.disk.files import absolute, real_path
from workbench.disk.places import places
from workbench.i18n import _
from workbench.preferences import PERMISSIONS, Group, Setting, found, problems_of, setting
from workbench.project_file import project_file
from workbench.setting_kinds import Form
from workbench.settings import Settings, change_settings, load_settings

if TYPE_CHECKING:
    from workbench.engine.permissions import StandingRule

_OF_TOOL = f"{PERMISSIONS}."


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "settings",
        _("list, show, change and reset settings"),
        "settings set theme dark",
        _("Exit code: 0 success, 1 no such setting or no such value, 2 the settings cannot be used."),
    )
    verbs = parser.add_subparsers(title=_("verbs"), metavar="VERB", required=True)
    listed = _verb(verbs, "list", _("list settings, their values and what they do"), "settings list wrap", _list)
    listed.add_argument("words", metavar="WORD", nargs="*", help=_("only those with these words"))
    listed.add_argument("--changed", action="store_true", help=_("only those that are not at their default"))
    got = _verb(verbs, "get", _("show a value"), "settings get theme", _get)
    _add_key(got)
    put = _verb(verbs, "set", _("change a value"), "settings set tab_width 8", _set)
    _add_key(put)
    put.add_argument("value", metavar="VALUE")
    back = _verb(verbs, "reset", _("take the default again"), "settings reset tab_width", _reset)
    _add_key(back)


def _add_key(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take which setting is meant."""
    parser.add_argument("key", metavar="KEY", help=_("a setting, or permissions.TOOL[=PATTERN] for one permission"))
    words = _("for a permission: the playbook, or the folder with all in it, that it holds for")
    parser.add_argument("--for", dest="place", type=Path, metavar="PATH", help=words)


def _verb(verbs: Commands, name: str, summary: str, example: str, execute: Any) -> argparse.ArgumentParser:
    parser = add_command(verbs, name, summary, example)
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    parser.set_defaults(execute=execute)
    return parser


def _list(options: argparse.Namespace) -> int:
    settings = load_settings(places())
    for problem in problems_of(settings):
        complain(problem)
    rows = [each for each in found(" ".join(options.words)) if not options.changed or each.is_changed(settings)]
    said = _rules_with(options.words)
    if options.json:
        show_json([*(_as_json(each, settings) for each in rows), *map(_rule_as_json, said)])
        return FINE
    for each in rows:
        mark = _(" (changed)") if each.is_changed(settings) else ""
        show(f"{each.key}: {each.told(each.value(settings))}{mark}\n    {each.title}. {each.description}.")
    for rule in said:
        show(_rule_line(rule))
    return FINE


def _rules() -> tuple[StandingRule, ...]:
    """All that was said about single tools, by the person or by the project of the current folder."""
    from workbench.engine.permissions import standing_rules  # noqa: PLC0415 - most settings need no engine

    return standing_rules(places().permissions_file, project_file(absolute(Path())))


def _rules_with(words: Sequence[str]) -> list[StandingRule]:
    row = " ".join(map(str, (setting(PERMISSIONS).title, PERMISSIONS, Group.TRUST)))
    texts = [(each, f"{row} {_rule_line(each)}".casefold()) for each in _rules()]
    return [each for each, text in texts if all(word.casefold() in text for word in " ".join(words).split())]


def _rule_line(each: StandingRule) -> str:
    from workbench.vocabulary import asking_words  # noqa: PLC0415 - as above

    words = _("For {place}. Stands in {file}.").format(place=each.place, file=each.source)
    if each.stricter is not None:
        more = _("The project is stricter: {asking}.")
        words = f"{words} {more.format(asking=asking_words(each.stricter))}"
    return f"{_OF_TOOL}{each.name}: {asking_words(each.rule.asking)}\n    {words}"


def _rule_as_json(each: StandingRule) -> dict[str, object]:
    return {
        "key": f"{_OF_TOOL}{each.name}",
        "group": str(Group.TRUST),
        "value": each.rule.asking.value,
        "place": str(each.place),
        "source": str(each.source),
        "is_changed": each.is_own,
        "in_project": not each.is_own,
        **({"stricter": each.stricter.value} if each.stricter is not None else {}),
    }


def _of_tool(options: argparse.Namespace) -> list[StandingRule]:
    """The rules that the key of *options* names; all of them where it names no tool."""
    wanted = options.key.removeprefix(PERMISSIONS).removeprefix(".")
    place = real_path(options.place) if options.place is not None else None
    return [each for each in _rules() if wanted in ("", each.name) and place in (None, each.place)]


def _show_rules(options: argparse.Namespace) -> int:
    rules = _of_tool(options)
    if options.json:
        show_json([*map(_rule_as_json, rules)])
        return FINE
    for each in rules:
        show(_rule_line(each))
    if not rules:
        show(_("Nothing was said about this: the usual holds."))
    return FINE


def _permit(options: argparse.Namespace, value: str) -> int:
    """Keep when the person is asked; empty *value*: no longer. Raises CannotRead, CannotSave, RunFailed."""
    from workbench.engine.permissions import say  # noqa: PLC0415 - as above
    from workbench.tools.permissions import rule_of  # noqa: PLC0415
    from workbench.tools.values import Asking  # noqa: PLC0415

    name = options.key.removeprefix(_OF_TOOL)
    rule, known = rule_of(name), [each.value for each in Asking]
    own = [each.place for each in _of_tool(options) if each.is_own]
    if value and value not in known:
        told = _("“{key}” can be {expected}, and not {value}.")
        complain(told.format(key=options.key, expected=", ".join(known), value=value))
    elif options.place is None and (value or len(own) != 1):
        complain("\n".join((_("Say with --for which playbook or folder is meant."), *(f"  {each}" for each in own))))
    elif not value and not own:
        complain(_("Nothing was said about {tool} for {place}.").format(tool=name, place=options.place))
    else:
        options.place = real_path(options.place) if options.place is not None else own[0]
        wanted = replace(rule, asking=Asking(value) if value else rule.asking)
        say(places().permissions_file, options.place, wanted, is_usual=not value)
        return _show_rules(options)
    return FINDINGS


def _as_json(row: Setting, settings: Settings) -> dict[str, object]:
    kind = row.kind
    limits = {"least": kind.least, "most": kind.most} if kind.form in (Form.WHOLE, Form.NUMBER) else {}
    return {
        "key": row.key,
        "title": str(row.title),
        "description": str(row.description),
        "where": str(row.where),
        "group": str(row.group),
        "value": kind.write(row.value(settings)),
        "default": kind.write(row.default),
        "is_changed": row.is_changed(settings),
        "in_project": row.in_project,
        **({"choices": list(kind.choices)} if kind.choices else {}),
        **limits,
    }


def _row(key: str) -> Setting | None:
    """The row *key*; None where there is none, and then it was said."""
    try:
        return setting(key)
    except KeyError:
        complain(_("There is no setting “{key}”. All are shown by: workbench settings list").format(key=key))
        return None


def _get(options: argparse.Namespace) -> int:
    if options.key == PERMISSIONS or options.key.startswith(_OF_TOOL):
        return _show_rules(options)
    row = _row(options.key)
    if row is None:
        return FINDINGS
    settings = load_settings(places())
    if options.json:
        show_json(_as_json(row, settings))
    else:
        show(row.told(row.value(settings)))
    return FINE


def _set(options: argparse.Namespace) -> int:
    if options.key.startswith(_OF_TOOL):
        return _permit(options, options.value)
    row = _row(options.key)
    if row is None:
        return FINDINGS
    if row.kind.form is Form.OTHER:
        complain(_("“{key}” is not set by one value. It can be changed in the window.").format(key=row.key))
        return FINDINGS
    try:
        _before, after = change_settings(places(), lambda settings: row.changed(settings, _value(row, options.value)))
    except ValueError as error:
        complain(str(error))
        return FINDINGS
    return _say(row, after, options)


def _value(row: Setting, written: str) -> object:
    """What *written* stands for: a number, true or false; for a text or a choice the words themselves."""
    if row.kind.form in (Form.TEXT, Form.CHOICE):
        return written
    try:
        return json.loads(written)
    except ValueError:
        return written


def _reset(options: argparse.Namespace) -> int:
    if options.key.startswith(_OF_TOOL):
        return _permit(options, "")
    if options.key == PERMISSIONS:
        complain(_("Permissions are taken back one by one: workbench settings reset permissions.TOOL --for PATH"))
        return FINDINGS
    row = _row(options.key)
    if row is None:
        return FINDINGS
    _before, after = change_settings(places(), row.reset)
    return _say(row, after, options)


def _say(row: Setting, settings: Settings, options: argparse.Namespace) -> int:
    if options.json:
        show_json(_as_json(row, settings))
    else:
        show(f"{row.title}: {row.told(row.value(settings))}")
    return FINE
