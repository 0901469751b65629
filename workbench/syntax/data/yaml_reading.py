"""YAML text → nodes or values: the door, behind which the library for YAML is loaded with the first text."""

from __future__ import annotations

from workbench.i18n import _
from workbench.syntax.data.nodes import MAX_SIZE, DataParse, plain_value
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import Span


def read_yaml(text: str) -> DataParse:
    """The nodes of *text* with everything that is wrong in it; never raises."""
    if len(text) > MAX_SIZE:
        message = _("This file is larger than 16 MiB. It is shown as text and not read as a playbook.")
        return DataParse(None, (Diagnostic("too-large", Severity.ERROR, message, Span(0, 0)),))
    from workbench.syntax.data.yaml_events import nodes_of  # noqa: PLC0415 - most playbooks are markdown without YAML

    return nodes_of(text)


def load_yaml(text: str) -> object:
    """What *text* holds as plain values; of a key that stands twice, the last. Raises ValueError with the reason."""
    parse = read_yaml(text)
    wrong = next((one for one in parse.diagnostics if one.code != "duplicate-key"), None)
    if wrong is not None:
        raise ValueError(wrong.message)
    return plain_value(parse.root) if parse.root is not None else None
