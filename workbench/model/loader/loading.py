"""Files and texts → step lists: all that is wrong is reported at once, each with its line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.disk.files import is_file, read_file
from workbench.errors import CannotRead, WorkbenchError
from workbench.i18n import _
from workbench.model.format import is_named_steplist
from workbench.model.loader.findings import Findings
from workbench.model.loader.reading import read_playbook
from workbench.model.loader.steplist import Playbook
from workbench.syntax.data.json_reading import read_json
from workbench.syntax.data.nodes import DataNode, DataParse, NodeKind, ScalarType
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import SURROGATES, LineIndex, SourceText, Span


class PlaybookLoadError(WorkbenchError):
    """A step list cannot be used. *diagnostics*: everything that is wrong, *path*: of the file, where there is one."""

    def __init__(self, message: str, path: Path | None = None, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.path = path
        self.diagnostics = diagnostics


@dataclass(frozen=True, slots=True)
class LoadedPlaybook:
    """What a text holds. *playbook* is None where an error stands in the way. *is_graph*: ``version: playbook.v2``."""

    playbook: Playbook | None
    diagnostics: tuple[Diagnostic, ...]
    is_graph: bool = False


def parse_data(text: str) -> DataParse:
    """The nodes of *text*: JSON where it begins like JSON, else YAML."""
    return read_json(text) if _begins_like_json(text) else read_yaml(text)


def _begins_like_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith(("{", "["))


def read_steplist(text: str) -> LoadedPlaybook:
    """The step list in *text*, YAML or JSON, with everything that is wrong in it; never raises."""
    parse = parse_data(text)
    findings = Findings(text=text)
    findings.diagnostics += parse.diagnostics
    root = parse.root.resolved if parse.root is not None else None
    if root is None or root.kind is not NodeKind.MAPPING:
        if not parse.diagnostics:
            message = _no_mapping(root).format(format="JSON" if _begins_like_json(text) else "YAML")
            findings.error("not-a-mapping", message, root.span if root else Span(0, 0))
        return LoadedPlaybook(None, tuple(findings.diagnostics))
    version = root.get("version")
    if version is not None and version.text == "playbook.v2":
        return LoadedPlaybook(None, tuple(findings.diagnostics), is_graph=True)
    playbook = read_playbook(root, findings)
    found = tuple(sorted(findings.diagnostics, key=lambda one: (one.span.start, one.span.end)))
    has_errors = any(one.severity is Severity.ERROR for one in found)
    return LoadedPlaybook(None if has_errors else playbook, found)


def _no_mapping(root: DataNode | None) -> str:
    """What a text is whose *root* is no mapping; with a place for its format."""
    if root is None or root.type is ScalarType.NULL:
        return _("There is nothing in this {format}. A step list must be a mapping with id, name and steps.")
    if root.kind is NodeKind.SEQUENCE:
        return _("This is a list in {format}. A step list must be a mapping with id, name and steps.")
    return _("This is a single value in {format}. A step list must be a mapping with id, name and steps.")


def load_playbook(source: Path | str | Mapping[str, Any] | None) -> Playbook:
    """The step list in a file, in a text (YAML or JSON), or in a mapping.

    Raises PlaybookLoadError, and nothing else, whatever *source* is.
    """
    if isinstance(source, Mapping):
        return load_text(_as_json(source), None)
    if isinstance(source, Path):
        return _from_file(source)
    if not isinstance(source, str):
        raise PlaybookLoadError(_("A step list must be a mapping with id, name and steps."))
    path = _existing_file(source)
    return _from_file(path) if path is not None else load_text(source, None)


def _existing_file(text: str) -> Path | None:
    """The file that *text* names, where it can be a name at all."""
    if len(text) > 1024 or "\n" in text or "\0" in text or not text.strip():
        return None
    path = Path(text)
    looks_like_one = is_named_steplist(path) and ":" not in text and not text.lstrip().startswith(("{", "["))
    return path if is_file(path) or looks_like_one else None


def _as_json(source: Mapping[str, Any]) -> str:
    """*source* as text. Raises PlaybookLoadError where it holds more than plain data."""
    import json  # noqa: PLC0415 - only programs that hand over mappings come here

    try:
        return json.dumps(dict(source))
    except (TypeError, ValueError, RecursionError) as error:
        message = _("This mapping contains something that is not plain data: {reason}.").format(reason=error)
        raise PlaybookLoadError(message) from error


def _from_file(path: Path) -> Playbook:
    """The step list in a file. Raises PlaybookLoadError, also where its name has another ending than a step list.

    This is the entrance for programs, which say what they want to load. What a person opens
    goes through ``format.detect_format``, which looks at nothing but the text.
    """
    if not is_named_steplist(path):
        message = _("{path} does not have the extension of a step list. Step lists end in .json, .yaml or .yml.")
        raise PlaybookLoadError(message.format(path=path), path)
    try:
        data = read_file(path)
    except CannotRead as error:
        raise PlaybookLoadError(str(error), path) from error
    return load_text(SourceText.decode(data).text, path)


def load_text(text: str, path: Path | None = None) -> Playbook:
    """The step list in *text*, whatever the file *path* that it is from is called. Raises PlaybookLoadError."""
    bad = SURROGATES.search(text)
    if bad is not None:
        offset = len(text[: bad.start()].encode("utf-8"))
        message = _("{path} is not UTF-8: the byte at offset {offset} is not part of a valid character.")
        raise PlaybookLoadError(message.format(path=path or _("step list"), offset=offset), path)
    found = read_steplist(text)
    if found.is_graph:
        message = _("This is a playbook.v2 graph. It is not run as a list of steps, because its guards would be lost.")
        raise PlaybookLoadError(message, path, found.diagnostics)
    if found.playbook is None:
        raise PlaybookLoadError(_told(text, path, found.diagnostics), path, found.diagnostics)
    return found.playbook


def _told(text: str, path: Path | None, diagnostics: tuple[Diagnostic, ...]) -> str:
    """All errors, one a line, each with its place."""
    lines = LineIndex.of(text)
    told = []
    for one in diagnostics:
        if one.severity is Severity.ERROR:
            line, column = lines.position(min(one.span.start, len(text)))
            told.append(f"{path or _('step list')}:{line + 1}:{column + 1}: {one.message}")
    return "\n".join(told)
