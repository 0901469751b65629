"""The arguments of a call as fields, by the JSON schema of its tool; what was not touched stays what it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.engine.fields import FieldKind, FieldType, NotThatType
from workbench.errors import RunFailed
from workbench.gui.forms.field import RunField
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column
from workbench.gui.words.widget_text import rewritten
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.tools.schemas import check_arguments, properties_of, texts_of

_MOST_FIELDS = 40
_LONG = 60
_KINDS = {
    "string": FieldKind.TEXT,
    "integer": FieldKind.WHOLE_NUMBER,
    "number": FieldKind.NUMBER,
    "boolean": FieldKind.YES_NO,
}
_ALL = "arguments"
_NOTHING = object()


class ArgumentFields(QWidget):
    """One field for each argument that *schema* or *given* name; one for all of them where they are too many."""

    submitted = Signal()
    edited = Signal()

    def __init__(self, schema: Mapping[str, Any], given: Mapping[str, Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._schema = schema
        properties = properties_of(schema)
        names = tuple(dict.fromkeys((*properties, *given)))
        self._is_whole = len(names) > _MOST_FIELDS or not _is_closed(schema, names)
        needed = texts_of(schema.get("required"))
        if self._is_whole:
            whole = {"type": "object", "description": _("All arguments, as a JSON object")}
            self.fields: tuple[_Argument, ...] = (_Argument(_ALL, whole, dict(given), self),)
        else:
            self.fields = tuple(
                _Argument(name, properties.get(name, {}), given.get(name, _NOTHING), self, is_needed=name in needed)
                for name in names
            )
        self._problem = ProblemLabel(self)
        in_column(self, *self.fields, self._problem, margins=0, spacing=8)
        for each in self.fields:
            each.field.submitted.connect(self.submitted)
            each.field.edited.connect(self.edited)

    @property
    def problem(self) -> str:
        """What is wrong with the arguments as a whole."""
        return self._problem.text()

    def take_focus(self) -> None:
        """Put the cursor into the first field."""
        if self.fields:
            self.fields[0].field.setFocus()

    def arguments(self) -> dict[str, Any]:
        """What was entered, by name; ask ``check`` first."""
        if self._is_whole:
            return dict(self.fields[0].value())
        values = ((each.name, each.value()) for each in self.fields)
        return {name: value for name, value in values if value is not _NOTHING}

    def check(self) -> bool:
        """Whether all can be read and fit the schema; shows what does not, and goes there."""
        self._problem.setText("")
        wrong = [each for each in self.fields if not each.check()]
        if wrong:
            wrong[0].field.setFocus()
            return False
        try:
            check_arguments(self._schema, self.arguments())
        except RunFailed as problem:
            self._problem.setText(str(problem))
            return False
        return True


class _Argument(QWidget):
    """One of them: its field, and what the schema says of it."""

    def __init__(self, name: str, schema: Any, given: Any, parent: QWidget, *, is_needed: bool = True) -> None:
        super().__init__(parent)
        self.name = name
        self._schema = schema if isinstance(schema, Mapping) else {}
        self._given = given
        self._is_needed = is_needed
        self.field = RunField(Variable(name, is_state=False), self, _type_of(self._schema, given, is_needed=is_needed))
        self.field.fill(_written(given, self.field.type))
        self._text = self.field.raw
        about = " ".join(str(self._schema.get("description", "")).split())
        words = about if is_needed else " · ".join(filter(None, (_("optional"), about)))
        label = Label(words, self, role="secondary", wraps=True)
        label.setVisible(bool(words))
        in_column(self, self.field, label, margins=0, spacing=2)

    def value(self) -> Any:
        """What was entered, or what was given where nobody touched it. Raises NotThatType."""
        if self.field.raw == self._text and (self._given is not _NOTHING or not self._is_needed):
            return self._given
        if not self.field.type.is_text and self.field.type.kind is not FieldKind.LONG_TEXT:
            value = self.field.value()
            return _NOTHING if value is None and not self._is_needed else value
        text = rewritten(self._given if isinstance(self._given, str) else "", self.field.raw)
        if not text and not self._is_needed and self._given is _NOTHING:
            return _NOTHING
        return _list_in(text) if "array" in _kinds(self._schema) else text

    def check(self) -> bool:
        """Whether it can be read; shows the problem where not."""
        try:
            self.value()
        except NotThatType as problem:
            self.field.show_problem(str(problem))
            return False
        self.field.show_problem("")
        return True


def _type_of(schema: Mapping[str, Any], given: Any, *, is_needed: bool) -> FieldType:
    """How a value of *schema* is filled in."""
    kinds = [kind for kind in _kinds(schema) if kind != "null"]
    choices = schema.get("enum")
    if isinstance(choices, list | tuple) and choices and all(isinstance(each, str) for each in choices):
        wanted = FieldType(FieldKind.CHOICE, tuple(choices))
    elif "string" in kinds and (isinstance(given, str) or given is _NOTHING or set(kinds) == {"array", "string"}):
        is_long = isinstance(given, str) and ("\n" in given or len(given) > _LONG)
        wanted = FieldType(FieldKind.LONG_TEXT if is_long else FieldKind.TEXT)
    elif kinds == ["array"] and _kinds(schema.get("items")) == ("string",):
        wanted = FieldType(FieldKind.LIST, item=FieldType(FieldKind.TEXT))
    elif len(kinds) == 1 and kinds[0] in _KINDS:
        wanted = FieldType(_KINDS[kinds[0]])
    else:
        wanted = FieldType(FieldKind.DATA)
    return replace(wanted, is_optional=not is_needed)


def _kinds(schema: Any) -> tuple[str, ...]:
    return texts_of(schema.get("type")) if isinstance(schema, Mapping) else ()


def _is_closed(schema: Mapping[str, Any], names: tuple[str, ...]) -> bool:
    """Whether *names* are all that can be given, as far as *schema* says."""
    return bool(names) or "properties" in schema or schema.get("additionalProperties") is False


def _written(value: Any, wanted: FieldType) -> str:
    """*value* as it is typed into a field that holds what is *wanted*."""
    if value is _NOTHING:
        return ""
    if wanted.kind is FieldKind.YES_NO and isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and wanted.kind is not FieldKind.DATA:
        return value
    return json.dumps(value, ensure_ascii=False, indent=2 if isinstance(value, dict) and value else None)


def _list_in(text: str) -> Any:
    """A list where *text* is one as JSON; else the text."""
    try:
        found = json.loads(text) if text.lstrip().startswith("[") else text
    except ValueError:
        return text
    return found if isinstance(found, list) else text
