"""Findings about links: a file that is not there, an anchor that is not there. Nothing about the web is ever asked."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Protocol

from workbench.i18n import _
from workbench.model.checks.context import Context, replacement, warning
from workbench.model.checks.nearest import is_other_in_row
from workbench.model.links import (
    Anchors,
    anchors_of,
    is_plain_path,
    leads_to,
    loose_anchor,
    path_span,
    targets_of,
    written_path,
)
from workbench.model.queries import Queries
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.links import WIKIS, Link
from workbench.syntax.text import Span
from workbench.visible import visible

_MOST_COMPARED = 300


class FilesAround(Protocol):
    """What the check asks about the files around a document; paths are as links have them."""

    def is_missing(self, path: str) -> bool:
        """Whether it is certain that there is neither a file nor a folder."""
        ...

    def near(self, path: str) -> str:
        """The path of the one file that somebody probably meant, or empty."""
        ...

    def anchors(self, path: str) -> Anchors | None:
        """The anchors of a file; None where nobody can tell."""
        ...


def check_own_anchors(context: Context) -> Iterator[Diagnostic]:
    """Links to headings of the same file that it does not have."""
    links = [link for link in targets_of(context.document) if link.target.startswith("#")]
    anchors = anchors_of(context.document.blocks) if links else {}
    for link in links:
        if not leads_to(link.anchor, anchors) and not link.anchor.startswith(_TO_DO):
            message = _("This file has no heading that “#{anchor}” could lead to.")
            yield _missing_anchor(context.document, link, message.format(anchor=visible(link.anchor)), anchors)


def check_links(document: Queries, around: FilesAround) -> Iterator[Diagnostic]:
    """Links from *document* to files that are not there, and to headings that those do not have.

    Wiki links name pages, which may be anywhere, and need not be written yet.
    """
    for link in targets_of(document):
        path = link.path
        if link.form in WIKIS or not is_checked(path):
            continue
        if around.is_missing(path):
            yield _missing_file(document, link, around.near(path))
        elif link.anchor and (anchors := around.anchors(path)) is not None and not leads_to(link.anchor, anchors):
            message = _("“{path}” has no heading that “#{anchor}” could lead to.")
            said = message.format(path=visible(path), anchor=visible(link.anchor))
            yield _missing_anchor(document, link, said, anchors)


def is_checked(path: str) -> bool:
    """Whether *path* surely means a file beside this one: what a site makes of files has other names, or none."""
    name = path.rpartition("/")[2]
    ending = name.rpartition(".")[2].lower() if "." in name[1:] else ""
    is_relative = not path.startswith(("/", "www.")) and is_plain_path(path) and ":" not in path
    return is_relative and ending.isalnum() and ending not in _MADE and not ending.isdigit()


_TO_DO = ("TODO", "FIXME", "TBD", "XXX")
"""How an anchor begins whose author knows that it leads nowhere yet."""
_MADE = frozenset({"html", "htm", "php", "aspx", "jsp", "com", "org", "net", "io", "dev", "ai"})
"""Endings of pages that are made from other files, and of addresses without a scheme."""


def _missing_file(document: Queries, link: Link, near: str) -> Diagnostic:
    message = _("There is no file “{path}” here.") if link.is_image else _("There is no file “{path}” for this link.")
    span = path_span(link, document.text)
    fix = (replacement(_("Change to {near}").format(near=near), span, written_path(near, span, document.text)),)
    return warning("missing-file", message.format(path=visible(link.path)), span, *(fix if near else ()))


def _missing_anchor(document: Queries, link: Link, message: str, anchors: Anchors) -> Diagnostic:
    near = anchor_near(link.anchor, anchors)
    anchor = link.target.partition("#")[2]
    if not link.target_span.of(document.text).endswith(f"#{anchor}"):  # it is written as entities or with escapes
        return warning("missing-anchor", message, link.target_span)
    span = Span(link.target_span.end - len(anchor), link.target_span.end)
    fix = (replacement(_("Change to {near}").format(near=near), span, written_path(near, span, document.text)),)
    return warning("missing-anchor", message, span, *(fix if near else ()))


def anchor_near(anchor: str, anchors: Anchors) -> str:
    """The one of *anchors* that somebody probably meant by *anchor*; empty where there is none, or more than one."""
    wanted = loose_anchor(anchor)
    near = get_close_matches(wanted, anchors, 2, 0.75) if len(anchors) <= _MOST_COMPARED else []
    return anchors[near[0]] if len(near) == 1 and not is_other_in_row(wanted, near[0]) else ""
