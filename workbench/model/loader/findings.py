"""What can be wrong with the fields of a step list, each with its place and a plain sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from workbench.i18n import _
from workbench.regex import regex
from workbench.syntax.change import TextEdit
from workbench.syntax.data.nodes import DataNode, Expansion, ExpansionRefused, NodeKind, ScalarType, scalar_value
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.text import Span

_LOOKS_LIKE_A_NUMBER = regex(r"[+-]?[0-9][0-9_]*(?:\.[0-9]*)?[eE][+-]?[0-9]+|0[oO]?[0-7]+|0[xX][0-9a-fA-F]+")


class Findings:
    """Reads the fields of mappings and collects what is wrong with them."""

    def __init__(self, expansion: Expansion | None = None, text: str = "") -> None:
        self.diagnostics: list[Diagnostic] = []
        self._expansion = expansion or Expansion()
        self.text_read = text

    def error(self, code: str, message: str, span: Span, *fixes: Fix) -> None:
        """Note what keeps the file from being used as a step list."""
        self.diagnostics.append(Diagnostic(code, Severity.ERROR, message, span, fixes))

    def note(self, code: str, message: str, span: Span, *fixes: Fix) -> None:
        """Note what is worth knowing and harmless."""
        self.diagnostics.append(Diagnostic(code, Severity.INFO, message, span, fixes))

    def unknown_keys(self, node: DataNode, known: tuple[str, ...]) -> None:
        """Report every key of the mapping *node* that is not *known*, with the nearest one that is."""
        for key, _value in node.resolved.entries:
            is_merge = key.text == "<<" and key.is_plain
            if key.text not in known and not is_merge and key.kind is NodeKind.SCALAR:
                self._unknown_key(key, known)

    def _unknown_key(self, key: DataNode, known: tuple[str, ...]) -> None:
        plain = {_bare(name): name for name in known}
        near = plain.get(_bare(key.text)) or next(iter(get_close_matches(key.text, known, 1, 0.7)), None)
        if near is None:
            message = _("“{key}” is not a step-list field. Put your own data under metadata.")
            self.error("unknown-key", message.format(key=key.text), key.span)
            return
        message = _("“{key}” is not a step-list field, so it is ignored. Did you mean {near}?")
        fix = Fix(_("Change to {near}").format(near=near), (TextEdit(key.span, near),))
        self.error("unknown-key", message.format(key=key.text, near=near), key.span, fix)

    def text(self, node: DataNode | None, name: str) -> str | None:
        """The text of *node*; numbers are taken as they are written."""
        if node is None:
            return None
        if node.kind is not NodeKind.SCALAR:
            self.error("not-text", _("{name} must be text.").format(name=name), node.span)
            return None
        if node.type in (ScalarType.TEXT, ScalarType.DATE):
            self._explain(node, name)
            return node.text
        return self._no_text(node, name)

    def _explain(self, node: DataNode, name: str) -> None:
        is_date = node.type is ScalarType.DATE
        if is_date or (node.is_plain and _LOOKS_LIKE_A_NUMBER.fullmatch(node.text)):
            kind = _("a date") if is_date else _("a number")
            message = _("{name} is read as the text “{text}”. Other tools may read {kind} here. Put it in quotes.")
            self.note("quote-it", message.format(name=name, text=node.text, kind=kind), node.span, _quoted(node))

    def _no_text(self, node: DataNode, name: str) -> str | None:
        fix = _quoted(node)
        if node.type in (ScalarType.INTEGER, ScalarType.NUMBER):
            message = _("{name} is a number here and is read as the text “{text}”. Put it in quotes.")
            self.note("quote-it", message.format(name=name, text=node.text), node.span, fix)
            return node.text
        meaning = _("empty") if node.type is ScalarType.NULL else _("yes or no")
        message = _("{name} must be text, but “{text}” means {meaning} in YAML. Put it in quotes.")
        shown = node.text or "~"
        self.error("quote-it", message.format(name=name, text=shown, meaning=meaning), node.span, fix)
        return None

    def filled(self, node: DataNode | None, name: str) -> str | None:
        """Text that must not be blank."""
        text = self.text(node, name)
        if text is not None and node is not None and not text.strip():
            self.error("empty", _("{name} is empty.").format(name=name), node.span)
            return None
        return text

    def texts(self, node: DataNode | None, name: str) -> tuple[str, ...]:
        """A list of texts."""
        if node is None:
            return ()
        if node.kind is not NodeKind.SEQUENCE:
            self.error(
                "not-a-list", _("{name} must be a list of text values, such as [a, b].").format(name=name), node.span
            )
            return ()
        entry = _("each entry of {name}").format(name=name)
        found = [self.filled(item.resolved, entry) for item in node.items]
        return tuple(text for text in found if text is not None)

    def flag(self, node: DataNode | None, name: str, default: bool) -> bool:  # noqa: FBT001 - the default of a flag
        """Yes or no."""
        if node is None:
            return default
        value = scalar_value(node) if node.kind is NodeKind.SCALAR else None
        if isinstance(value, bool):
            return value
        self.error("not-a-flag", _("{name} must be true or false.").format(name=name), node.span)
        return default

    def count(self, node: DataNode | None, name: str, least: int) -> int | None:
        """A whole number of at least *least*, or nothing."""
        if node is None or node.type is ScalarType.NULL:
            return None
        value = scalar_value(node) if node.kind is NodeKind.SCALAR else None
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        message = _("{name} must be a whole number of at least {least}.").format(name=name, least=least)
        self.error("not-a-count", message, node.span)
        return None

    def seconds(self, node: DataNode | None, name: str) -> float | None:
        """A finite number above zero, or nothing."""
        if node is None or node.type is ScalarType.NULL:
            return None
        value = scalar_value(node) if node.kind is NodeKind.SCALAR else None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if isinstance(value, int | float) and is_number and math.isfinite(value) and value > 0:
            return float(value)
        self.error(
            "not-seconds", _("{name} must be a number of seconds greater than zero.").format(name=name), node.span
        )
        return None

    def mapping(self, node: DataNode | None, name: str) -> Mapping[str, Any]:
        """A mapping of anything."""
        if node is None or node.type is ScalarType.NULL:
            return {}
        if node.kind is not NodeKind.MAPPING:
            self.error("not-a-mapping", _("{name} must be a mapping.").format(name=name), node.span)
            return {}
        value = self.value(node)
        return value if isinstance(value, dict) else {}

    def value(self, node: DataNode) -> object:
        """*node* as plain values; None where its aliases go too far."""
        try:
            return self._expansion.value(node)
        except ExpansionRefused as refused:
            message = _("The aliases here cannot be followed: {reason}.").format(reason=refused)
            self.error("aliases", message, node.span)
            return None


def _bare(name: str) -> str:
    """*name* without what people vary: letter case, underscores, hyphens, a final s."""
    return re.sub(r"[\W_]", "", name).lower().removesuffix("s")


def _quoted(node: DataNode) -> Fix:
    return Fix(_("Put it in quotes"), (TextEdit(node.span, f'"{node.text or "~"}"'),))
