"""Files that are something else: recognised by content, so that nothing is misread as a playbook."""

from __future__ import annotations

import re

from workbench.i18n import _

_LOOK_AT = 8192
_HEADING = re.compile(r"^#{1,3}[ \t]+\S", re.MULTILINE)
_SECOND_LEVEL = re.compile(r"^#{2,3}[ \t]+\S", re.MULTILINE)
_ANSIBLE = re.compile(r"^-[ \t]+(?:hosts|import_playbook):|^[ \t]+(?:tasks|roles):[ \t]*$", re.MULTILINE)
_YAML_KEY = re.compile(r"(?:\"[^\"\n]*\"|'[^'\n]*'|[A-Za-z_][\w-]*):(?:[ \t]|$)")
_YAML_MARK = re.compile(r"^(?:answers|calls|id|name|step_groups|steps|tools|version):(?:[ \t]|$)", re.MULTILINE)
_PUREBASIC = re.compile(
    r"^(?:EnableExplicit|Procedure(?:\.\w+)?[ \t]|EndProcedure|Debug[ \t]|OpenConsole)", re.MULTILINE
)


def why_foreign(text: str) -> str:
    """A sentence on why *text* is shown as plain text, or empty where it is read as a playbook."""
    if "\0" in text:
        return _("This file holds binary data. It is shown as it is and kept byte for byte.")
    start = text[:_LOOK_AT]
    if not start.strip():
        return ""
    first = _first_line(start)
    if first.startswith(("{", "[{")) and '"' in start:
        return _(
            "This looks like JSON, not like a markdown playbook. It is shown as plain text and kept byte for byte."
        )
    has_headings = _SECOND_LEVEL.search(start) is not None
    if not has_headings and _ANSIBLE.search(start):
        return _("This looks like an Ansible playbook, which is something else. It is shown as plain text.")
    if not has_headings and _YAML_KEY.match(first) and _YAML_MARK.search(start):
        return _(
            "This looks like YAML, not like a markdown playbook. It is shown as plain text and kept byte for byte."
        )
    if not _HEADING.search(start) and _PUREBASIC.search(start):
        return _("This looks like PureBasic, which also uses the ending .pb. It is shown as plain text.")
    return ""


def _first_line(text: str) -> str:
    """The first line that is neither blank, a YAML comment nor a document mark."""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped and not stripped.startswith("#") and stripped != "---":
            return line
    return ""
