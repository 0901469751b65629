"""Files that are something else: recognised by content, so that nothing is misread as a playbook."""

from __future__ import annotations

import re

from workbench.i18n import _
from workbench.model.format import LOOK_AT, first_line

_HEADING = re.compile(r"^#{1,3}[ \t]+\S", re.MULTILINE)
_SECOND_LEVEL = re.compile(r"^#{2,3}[ \t]+\S", re.MULTILINE)
_ANSIBLE = re.compile(r"^-[ \t]+(?:hosts|import_playbook):|^[ \t]+(?:tasks|roles):[ \t]*$", re.MULTILINE)
_YAML_KEY = re.compile(r"(?:\"[^\"\n]*\"|'[^'\n]*'|[A-Za-z_][\w-]*):(?:[ \t]|$)")
_YAML_MARK = re.compile(r"^(?:answers|calls|id|name|step_groups|steps|tools|version):(?:[ \t]|$)", re.MULTILINE)
_PUREBASIC = re.compile(
    r"^(?:EnableExplicit|Procedure(?:\.\w+)?[ \t]|EndProcedure|Debug[ \t]|OpenConsole)", re.MULTILINE
)


def why_foreign(text: str) -> str:
    """A sentence on why *text*, which is no step list, is shown as plain text; empty where it is read as markdown."""
    if "\0" in text:
        return why_binary()
    start = text[:LOOK_AT]
    if not start.strip():
        return ""
    first = first_line(start)
    if first.startswith(("{", "[{")) and '"' in start:
        return _(
            "This is JSON without steps, and no markdown playbook. It is shown as plain text and kept byte for byte."
        )
    has_headings = _SECOND_LEVEL.search(start) is not None
    if not has_headings and _ANSIBLE.search(start):
        return _("This looks like an Ansible playbook, which is something else. It is shown as plain text.")
    if not has_headings and _YAML_KEY.match(first) and _YAML_MARK.search(start):
        return _(
            "This is YAML without steps, and no markdown playbook. It is shown as plain text and kept byte for byte."
        )
    if not _HEADING.search(start) and _PUREBASIC.search(start):
        return _("This looks like PureBasic, which also uses the ending .pb. It is shown as plain text.")
    return ""


def why_binary() -> str:
    """The sentence for files with zero bytes."""
    return _("This file holds binary data. It is shown as it is and kept byte for byte.")
