"""``workbench settings``: what can be set, what is set, and setting it, by the same table as the window."""

from __future__ import annotations

import argparse
import json
from typing import Any

from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, complain, show, show_json
from workbench.disk.places import places
from workbench.i18n import _
from workbench.preferences import Setting, found, problems_of, setting
from workbench.setting_kinds import Form
from workbench.settings import Settings, change_settings, load_settings


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
    got.add_argument("key", metavar="KEY")
    put = _verb(verbs, "set", _("change a value"), "settings set tab_width 8", _set)
    put.add_argument("key", metavar="KEY")
    put.add_argument("value", metavar="VALUE")
    back = _verb(verbs, "reset", _("take the default again"), "settings reset tab_width", _reset)
    back.add_argument("key", metavar="KEY")


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
    if options.json:
        show_json([_as_json(each, settings) for each in rows])
        return FINE
    for each in rows:
        mark = _(" (changed)") if each.is_changed(settings) else ""
        show(f"{each.key}: {each.told(each.value(settings))}{mark}\n    {each.title}. {each.description}.")
    return FINE


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
