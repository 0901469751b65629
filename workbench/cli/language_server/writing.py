"""What helps whoever writes in an editor: completions, what is known of a word, the signature of a call."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types as lsp

from workbench.assist.completing import completions
from workbench.assist.hovering import hover, signature_help
from workbench.assist.values import Around, Completion, CompletionKind, Completions
from workbench.cli.language_server.documents import Encoding, OpenDocument, View
from workbench.model.meaning import StepKind
from workbench.regex import regex
from workbench.syntax.text import Span

TRIGGERS = ("$",)
"""After these a list begins by itself, as in the window; letters are the business of the client."""
_CALLS = frozenset({CompletionKind.PLAYBOOK, CompletionKind.FUNCTION, CompletionKind.TOOL})
_KINDS: Mapping[CompletionKind, lsp.CompletionItemKind] = {
    CompletionKind.VARIABLE: lsp.CompletionItemKind.Variable,
    CompletionKind.PLAYBOOK: lsp.CompletionItemKind.Function,
    CompletionKind.FUNCTION: lsp.CompletionItemKind.Function,
    CompletionKind.TOOL: lsp.CompletionItemKind.Method,
    CompletionKind.STEP: lsp.CompletionItemKind.Keyword,
    CompletionKind.KEY: lsp.CompletionItemKind.Property,
    CompletionKind.VALUE: lsp.CompletionItemKind.Value,
}
_STEP_KINDS: Mapping[StepKind, lsp.CompletionItemKind] = {
    StepKind.TRIGGER: lsp.CompletionItemKind.Event,
    StepKind.STEP: lsp.CompletionItemKind.Text,
}
_MARKS = regex(r"([\\`*_{}\[\]()<>#+\-.!|~&$])")
_TICKS = regex(r"`+")


def completion_list(
    document: OpenDocument, params: lsp.CompletionParams, around: Around, view: View
) -> lsp.CompletionList:
    """What can be written at a place, best first."""
    offset = document.positions.offset(params.position)
    found = completions(document.snapshot, offset, around)
    items = [_item(view, document, found, index) for index in range(len(found.items))]
    # ways to begin a step are found by any of their letters, so a client that only looks at beginnings asks again
    is_partial = not found.is_all or any(each.kind is CompletionKind.STEP for each in found.items)
    return lsp.CompletionList(is_partial, items)


def _item(view: View, document: OpenDocument, found: Completions, index: int) -> lsp.CompletionItem:
    each, text = found.items[index], document.snapshot.text
    written = found.span.of(text)
    # of a call only the name where its brackets are there already
    is_call = each.kind in _CALLS and text[found.span.end : found.span.end + 1] == "("
    new = each.label if is_call else each.text
    is_snippet = (
        bool(each.blank) and not is_call and view.client.can("text_document.completion.completion_item.snippet_support")
    )
    shown = (
        _KINDS[each.kind]
        if each.kind is not CompletionKind.STEP
        else _STEP_KINDS.get(each.step, _KINDS[CompletionKind.STEP])
    )
    begins = each.text.casefold().startswith(written.casefold())
    return lsp.CompletionItem(
        each.label,
        kind=shown,
        detail=each.detail or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.PlainText, each.words) if each.words else None,
        sort_text=f"{index:04}",
        filter_text=each.text if begins else each.label,
        insert_text_format=lsp.InsertTextFormat.Snippet if is_snippet else lsp.InsertTextFormat.PlainText,
        text_edit=lsp.TextEdit(document.positions.range(found.span), snippet(each) if is_snippet else new),
    )


def snippet(each: Completion) -> str:
    """What is written, with the part that is still to be written over chosen."""
    before, blank, after = each.text.partition(each.blank)
    return f"{_escaped(before)}${{1:{_escaped(blank)}}}{_escaped(after)}$0"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def hover_at(document: OpenDocument, params: lsp.HoverParams, around: Around, view: View) -> lsp.Hover | None:
    """What is known of what stands at a place."""
    found = hover(document.snapshot, document.positions.offset(params.position), around)
    if found is None:
        return None
    is_marked = "markdown" in view.client.listed("text_document.hover.content_format")
    if is_marked:
        text = "\n\n".join((fenced(found.title), *map(plain, found.lines)))
    else:
        text = "\n".join((found.title, *found.lines))
    kind = lsp.MarkupKind.Markdown if is_marked else lsp.MarkupKind.PlainText
    return lsp.Hover(lsp.MarkupContent(kind, text), document.positions.range(found.span))


def plain(line: str) -> str:
    """*line*, which may be from anybody, as markdown that shows it as it is."""
    return "  \n".join(_MARKS.sub(r"\\\1", each) for each in line.splitlines())


def fenced(code: str) -> str:
    """*code* in a fence that nothing in it ends."""
    longest = max((len(each) for each in _TICKS.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{code}\n{fence}"


def signature_at(
    document: OpenDocument, params: lsp.SignatureHelpParams, around: Around, view: View
) -> lsp.SignatureHelp | None:
    """The signature of the call that is being written."""
    found = signature_help(document.snapshot, document.positions.offset(params.position), around)
    if found is None:
        return None
    information = "text_document.signature_help.signature_information"
    has_offsets = view.client.can(f"{information}.parameter_information.label_offset_support")
    labels = [_units(found.label, each) if has_offsets else each.of(found.label) for each in found.parameters]
    # behind the last parameter none is shown as the one that is being written
    active = found.active if found.active >= 0 else len(labels)
    signature = lsp.SignatureInformation(
        found.label,
        lsp.MarkupContent(lsp.MarkupKind.PlainText, found.words) if found.words else None,
        [lsp.ParameterInformation(each) for each in labels],
        active,
    )
    return lsp.SignatureHelp([signature], 0, active)


def _units(label: str, span: Span) -> tuple[int, int]:
    """Where *span* is in *label*, in UTF-16, as the protocol has it for labels whatever was agreed on."""
    return Encoding.UTF16.width(label[: span.start]), Encoding.UTF16.width(label[: span.end])
