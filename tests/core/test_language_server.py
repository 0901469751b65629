"""An editor asks the language server about playbooks, as a process of its own over its input and output."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import attrs
import pytest

pytest.importorskip("pygls", reason="make set-up installs it")
from lsprotocol import types as lsp

from tests.conftest import PATIENCE_S
from tests.core.cli_driver import Terminal
from tests.core.lsp_client import Editor, Refused, capabilities_of, editor
from workbench.cli.language_server import command, shape
from workbench.cli.language_server.documents import Encoding, OpenDocument, Positions
from workbench.cli.language_server.session import Session
from workbench.editing.symbol_renaming import rename_symbol
from workbench.model.showing.folds import foldable_lines
from workbench.model.snapshot import derive
from workbench.search.across import Project
from workbench.search.symbols import Symbol, SymbolKind
from workbench.syntax.text import SourceText

DESK = """# Desk

```python
@playbook
async def Weigh(grams: int = 1):
    '''Says how heavy it is.'''
    return grams
```

## Main
### Triggers
- When program starts
### Steps
- $total = 12 😀
- Check($total, 2)
- If $total > 3
  - Tell user "It is {$total}"
  - $unused = 1
- See [how](how.md#second) and [the web](https://example.org/a).
- Return $total

## Check($total, limit)
### Steps
- Tell user "It is {$totl}"
- Return $total
"""
HOW = "# How\n\n## First\n\n1. Wait.\n\n## Second\n\n1. Go on, as in [the desk](desk.md).\n"


class Desk:
    """A project that is shown in an editor, with *desk.md* open."""

    def __init__(self, editor: Editor, root: Path, capabilities: lsp.ServerCapabilities) -> None:
        self.editor = editor
        self.capabilities = capabilities
        self.root = root
        self.uri = (root / "desk.md").as_uri()
        self.positions = Positions.of(DESK, Encoding.UTF16)

    def after(self, words: str, extra: int = 0) -> lsp.Position:
        """The place behind *words*, where they stand first."""
        return self.positions.position(DESK.index(words) + len(words) + extra)

    def words(self, stretch: lsp.Range) -> str:
        """The text at *stretch*."""
        return self.positions.span(stretch).of(DESK)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Nothing is changed in it, so that all tests can share it."""
    root = tmp_path_factory.mktemp("project")
    (root / "desk.md").write_text(DESK, "utf-8")
    (root / "how.md").write_text(HOW, "utf-8")
    with editor(tmp_path_factory.mktemp("home") / "kept") as one:
        told = one.initialize(root, capabilities_of("visual-studio-code"))
        found = Desk(one, root, told.capabilities)
        one.open(found.uri, DESK)
        yield found


def test_the_server_says_what_it_can_do_and_offers_nothing_else(desk: Desk) -> None:
    offered = desk.capabilities
    assert offered.position_encoding == "utf-16"
    sync = offered.text_document_sync
    assert isinstance(sync, lsp.TextDocumentSyncOptions)
    assert sync.change is lsp.TextDocumentSyncKind.Incremental
    assert offered.document_formatting_provider is None, "nothing here lays text out anew"
    assert offered.code_lens_provider is None
    assert offered.completion_provider is not None
    assert list(offered.completion_provider.trigger_characters or ()) == ["$"]
    # what was said before an answer has been heard with it
    assert desk.editor.at(lsp.TEXT_DOCUMENT_HOVER, desk.uri, lsp.Position(1, 0)) is None
    assert desk.editor.registered == [lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES]


def test_findings_have_their_code_their_page_and_what_they_are(desk: Desk) -> None:
    found, misspelt = desk.editor.findings(desk.uri)
    assert (misspelt.code, desk.words(misspelt.range)) == ("unset-variable", "$totl")
    assert (found.code, found.source, desk.words(found.range)) == ("unused-variable", "workbench", "$unused")
    assert list(found.tags or ()) == [lsp.DiagnosticTag.Unnecessary]
    assert found.code_description is not None
    assert Path(found.code_description.href.removeprefix("file://")).read_text("utf-8").startswith("# ")


def test_completions_replace_the_word_at_the_caret_and_leave_a_blank_to_write_over(desk: Desk) -> None:
    found = desk.editor.at(lsp.TEXT_DOCUMENT_COMPLETION, desk.uri, desk.after("- Check($to"))
    total = next(each for each in found.items if each.label == "$total")
    assert (total.kind, total.text_edit.new_text) == (lsp.CompletionItemKind.Variable, "$total")
    assert desk.words(total.text_edit.range) == "$total"
    offered = desk.editor.at(lsp.TEXT_DOCUMENT_COMPLETION, desk.uri, desk.after("- If"))
    condition = next(each for each in offered.items if each.label == "If")
    assert condition.insert_text_format is lsp.InsertTextFormat.Snippet
    assert condition.text_edit.new_text == "If ${1:a condition holds}$0"
    assert offered.is_incomplete, "other letters can find other steps"
    assert completed(desk.editor, desk.uri, desk.after("- Che"))["Check"] == "Check", "its brackets are there"


def test_what_is_known_of_a_word_is_told(desk: Desk) -> None:
    told = desk.editor.at(lsp.TEXT_DOCUMENT_HOVER, desk.uri, desk.after("- Check($to"))
    assert "$total" in told.contents.value
    assert desk.words(told.range) == "$total"
    assert "Main:01" in told.contents.value
    assert desk.editor.at(lsp.TEXT_DOCUMENT_HOVER, desk.uri, lsp.Position(1, 0)) is None


def test_the_signature_of_an_open_call_is_told(desk: Desk) -> None:
    told = desk.editor.at(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, desk.uri, desk.after("- Check($total, "))
    (signature,) = told.signatures
    assert signature.label == "Check($total, limit)"
    start, end = signature.parameters[told.active_parameter].label
    assert signature.label[start:end] == "limit"


def test_the_outline_is_a_tree_whose_words_lie_in_what_they_name(desk: Desk) -> None:
    found = desk.editor.of(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, desk.uri)
    assert [each.name for each in found] == ["Main", "Check($total, limit)", "Weigh"]
    assert [each.name for each in found[0].children] == ["Triggers", "Steps"]
    steps = found[0].children[1].children
    assert [(each.detail, each.name) for each in steps][:2] == [("01", "$total = 12 😀"), ("02", "Check($total, 2)")]
    assert [each.detail for each in steps[2].children] == ["03.01", "03.02"]
    for each in found:
        whole, words = desk.positions.span(each.range), desk.positions.span(each.selection_range)
        assert whole.start <= words.start <= words.end <= whole.end


def test_a_name_leads_to_its_definition_and_a_link_to_its_heading(desk: Desk) -> None:
    (place,) = desk.editor.at(lsp.TEXT_DOCUMENT_DEFINITION, desk.uri, desk.after("- Che"))
    assert (place.uri, desk.words(place.range)) == (desk.uri, "Check")
    (linked,) = desk.editor.at(lsp.TEXT_DOCUMENT_DEFINITION, desk.uri, desk.after("[ho"))
    assert linked.uri == (desk.root / "how.md").as_uri()
    assert linked.range.start.line == HOW[: HOW.index("## Second")].count("\n")


def test_usages_are_found_with_and_without_definitions(desk: Desk) -> None:
    place = desk.after("- Check($to")
    context = lsp.ReferenceContext(include_declaration=True)
    found = desk.editor.at(lsp.TEXT_DOCUMENT_REFERENCES, desk.uri, place, context=context)
    assert [desk.words(each.range) for each in found] == ["total"] * 7
    marked = desk.editor.at(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, desk.uri, place)
    assert [each.range for each in marked] == [each.range for each in found]
    written = [each for each in marked if each.kind is lsp.DocumentHighlightKind.Write]
    context = lsp.ReferenceContext(include_declaration=False)
    rest = desk.editor.at(lsp.TEXT_DOCUMENT_REFERENCES, desk.uri, place, context=context)
    assert len(rest) == len(found) - len(written)


def test_another_name_changes_what_the_core_changes(desk: Desk) -> None:
    place = desk.after("- Check($to")
    prepared = desk.editor.at(lsp.TEXT_DOCUMENT_PREPARE_RENAME, desk.uri, place)
    assert prepared.placeholder == desk.words(prepared.range) == "total"
    edit = desk.editor.at(lsp.TEXT_DOCUMENT_RENAME, desk.uri, place, new_name="$sum")
    (changed,) = edit.document_changes
    assert changed.text_document == lsp.OptionalVersionedTextDocumentIdentifier(desk.uri, 1)
    wanted = rename_symbol(Project(desk.root), "desk.md", Symbol(SymbolKind.VARIABLE, "total", "Desk"), "sum")
    assert isinstance(wanted, tuple)
    assert edited(DESK, changed.edits) == wanted[0].text_after
    with pytest.raises(Refused, match="letters, digits"):
        desk.editor.at(lsp.TEXT_DOCUMENT_RENAME, desk.uri, place, new_name="a b")


def edited(text: str, edits: Any) -> str:
    """*text* as an editor changes it."""
    positions = Positions.of(text, Encoding.UTF16)
    for each in sorted(edits, key=lambda one: positions.span(one.range), reverse=True):
        span = positions.span(each.range)
        text = text[: span.start] + each.new_text + text[span.end :]
    return text


def test_the_file_of_a_link_can_be_renamed_with_the_link(desk: Desk) -> None:
    files = [lsp.FileRename((desk.root / "how.md").as_uri(), (desk.root / "way.md").as_uri())]
    edit = desk.editor.ask(lsp.WORKSPACE_WILL_RENAME_FILES, lsp.RenameFilesParams(files))
    (changed,) = edit.document_changes
    assert edited(DESK, changed.edits) == DESK.replace("(how.md#second)", "(way.md#second)")


def test_links_lead_to_files_of_the_project_and_to_the_web(desk: Desk) -> None:
    found = desk.editor.of(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, desk.uri)
    assert [each.target for each in found] == [(desk.root / "how.md").as_uri(), "https://example.org/a"]


def test_playbooks_are_found_in_all_files_by_some_letters(desk: Desk) -> None:
    found = desk.editor.ask(lsp.WORKSPACE_SYMBOL, lsp.WorkspaceSymbolParams("wei"))
    assert [(each.name, each.container_name, each.location.uri) for each in found] == [("Weigh", "Desk", desk.uri)]
    assert desk.words(found[0].location.range) == "Weigh"
    everything = desk.editor.ask(lsp.WORKSPACE_SYMBOL, lsp.WorkspaceSymbolParams(""))
    assert {"Main", "Check($total, limit)", "Weigh"} < {each.name for each in everything}
    assert (desk.root / "how.md").as_uri() in {each.location.uri for each in everything}


def test_what_can_be_folded_in_the_window_can_be_folded_here(desk: Desk) -> None:
    found = desk.editor.of(lsp.TEXT_DOCUMENT_FOLDING_RANGE, desk.uri)
    snapshot = derive(SourceText(DESK))
    assert [each.start_line for each in found] == [snapshot.lines.line(at) for at in foldable_lines(snapshot)]
    assert all(each.end_line > each.start_line for each in found)


def test_what_is_chosen_grows_from_the_word_to_the_whole(desk: Desk) -> None:
    (found,) = desk.editor.of(lsp.TEXT_DOCUMENT_SELECTION_RANGE, desk.uri, positions=[desk.after("It is {$to")])
    chosen: list[str] = []
    while found is not None:
        chosen.append(desk.words(found.range))
        found = found.parent
    assert chosen[0] == "$total"
    assert chosen[-1] == DESK
    assert [len(each) for each in chosen] == sorted({len(each) for each in chosen})
    assert any(each.startswith("- If") and each.endswith("$unused = 1\n") for each in chosen)


def test_colours_are_those_of_the_window_and_count_as_the_protocol_does(desk: Desk) -> None:
    whole = desk.editor.of(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, desk.uri)
    words = coloured(DESK, whole.data)
    assert words[:2] == [("class", "#"), ("class", " Desk")]
    assert ("variable", "$total") in words
    assert ("keyword", "If") in words
    assert ("macro", "Tell") in words
    assert ("keyword", "async") in words, "Python has its own colours"
    stretch = lsp.Range(desk.after("- If", -4), desk.after("- If"))
    part = desk.editor.of(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, desk.uri, range=stretch)
    line = DESK.splitlines()[stretch.start.line]
    assert coloured(DESK, part.data) == coloured(line, [0, *part.data[1:]])
    again = desk.editor.of(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, desk.uri, previous_result_id=whole.result_id)
    assert list(again.edits) == []


def coloured(text: str, data: Any) -> list[tuple[str, str]]:
    """The words that *data* colours, each with what it is."""
    positions, line, start = Positions.of(text, Encoding.UTF16), 0, 0
    found = []
    for at in range(0, len(data), 5):
        down, along, length, kind, _marks = data[at : at + 5]
        line, start = line + down, along + (0 if down else start)
        place = lsp.Range(lsp.Position(line, start), lsp.Position(line, start + length))
        found.append((shape.LEGEND.token_types[kind], positions.span(place).of(text)))
    return found


def test_the_numbers_of_steps_stand_before_their_words(desk: Desk) -> None:
    lines = lsp.Range(desk.after("- If", -4), desk.after("$unused = 1"))
    found = desk.editor.of(lsp.TEXT_DOCUMENT_INLAY_HINT, desk.uri, range=lines)
    assert [each.label for each in found] == ["03", "03.01", "03.02"]


def actions(desk: Desk, place: lsp.Position, *only: str) -> dict[str, lsp.CodeAction]:
    """What is offered at a place, by its title."""
    context = lsp.CodeActionContext([], list(only) or None)
    found = desk.editor.of(lsp.TEXT_DOCUMENT_CODE_ACTION, desk.uri, range=lsp.Range(place, place), context=context)
    return {each.title: each for each in found}


def test_fixes_are_offered_with_their_finding_and_operations_are_worked_out_when_chosen(desk: Desk) -> None:
    (fix,) = actions(desk, desk.after("$totl"), "quickfix").values()
    assert [each.code for each in fix.diagnostics or ()] == ["unset-variable"]
    assert fix.edit is not None
    assert edited(DESK, fix.edit.document_changes[0].edits) == DESK.replace("$totl", "$total")
    offered = actions(desk, desk.after("- If"), "refactor")
    assert {"Invert condition", "Disable step", "Extract playbook"} <= offered.keys()
    assert not any(each.kind == lsp.CodeActionKind.QuickFix for each in offered.values())
    inverted = desk.editor.ask(lsp.CODE_ACTION_RESOLVE, offered["Invert condition"])
    (changed,) = inverted.edit.document_changes
    assert edited(DESK, changed.edits) == DESK.replace("- If $total > 3", "- If $total <= 3")


def test_what_is_no_request_is_answered_with_an_error_and_the_server_goes_on(desk: Desk) -> None:
    told = {"jsonrpc": "2.0"}
    bodies = (
        {"id": 1, "method": "shutdown"},
        {**told, "id": 2, "method": "textDocument/hover", "params": {"position": 1}},
        {**told, "id": 3, "method": "no/such"},
        {**told, "id": 4, "method": "workspace/executeCommand", "params": {"command": "x"}},
        {**told, "id": 5, "method": "textDocument/hover", "params": None},
        {**told, "id": 6, "method": "initialize", "params": []},
    )
    wrong = (b"{", b"\xff\xfe", b"[]", b"[" * 9999)
    answers = desk.editor.answers_to(*wrong, *(json.dumps(each).encode() for each in bodies))
    unknown = [(None, -32700), (None, -32700), (None, -32600), (None, -32700)]
    assert answers == [*unknown, (1, -32600), (2, -32602), (3, -32601), (4, -32602), (5, -32602), (6, -32602)]
    assert desk.editor.at(lsp.TEXT_DOCUMENT_HOVER, desk.uri, desk.after("- Check($to")) is not None


MUTUAL = {
    "desk.md": "# Desk\n## Main\n- Other()\n- Return $x\n!import part.md\n",
    "part.md": "## Other\n- $x = 1\n- Return $x\n!import desk.md\n",
}


def test_files_that_import_each_other_say_so_and_get_other_names_together(tmp_path: Path) -> None:
    for name, text in MUTUAL.items():
        (tmp_path / name).write_text(text, "utf-8")
    uris = {name: (tmp_path / name).as_uri() for name in MUTUAL}
    capabilities = capabilities_of("neovim", diagnostic=lsp.DiagnosticClientCapabilities())
    refreshed = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    workspace = attrs.evolve(capabilities.workspace, diagnostics=refreshed)
    with editor(tmp_path / "home") as one:
        one.initialize(tmp_path, attrs.evolve(capabilities, workspace=workspace))
        for name, text in MUTUAL.items():
            one.open(uris[name], text)
        for name, other, line in (("desk.md", "part.md", 4), ("part.md", "desk.md", 3)):
            found = one.of(lsp.TEXT_DOCUMENT_DIAGNOSTIC, uris[name]).items
            refused = [each for each in found if each.code == "import-refused"]
            assert [each.range.start.line for each in refused] == [line]
            assert [each.location.uri for each in refused[0].related_information] == [uris[other]]
        whole = lsp.TextDocumentContentChangeWholeDocument("## Other\n- $x = 1\n- Return $x\n")
        one.change(uris["part.md"], 2, whole)
        assert list(one.of(lsp.TEXT_DOCUMENT_DIAGNOSTIC, uris["desk.md"]).items) == [], "as it is in the editor"
        assert one.client.diagnostic_refresh_count > 0
        edit = one.at(lsp.TEXT_DOCUMENT_RENAME, uris["desk.md"], lsp.Position(3, 10), new_name="sum")
        assert edit.changes.keys() == set(uris.values()), "in the form of a client that knows no versions"
        assert edited(MUTUAL["desk.md"], edit.changes[uris["desk.md"]]) == MUTUAL["desk.md"].replace("$x", "$sum")
        assert edited(whole.text, edit.changes[uris["part.md"]]) == whole.text.replace("$x", "$sum")
        assert "Other" in completed(one, uris["desk.md"], lsp.Position(2, 4)), "known since findings were asked for"
        (place,) = one.at(lsp.TEXT_DOCUMENT_DEFINITION, uris["desk.md"], lsp.Position(2, 4))
        assert (place.uri, place.range.start.line) == (uris["part.md"], 0)
        assert one.end() == 0


def completed(one: Editor, uri: str, place: lsp.Position) -> dict[str, str]:
    """What can be written at a place, each with what stands there then."""
    found = one.at(lsp.TEXT_DOCUMENT_COMPLETION, uri, place)
    return {each.label: each.text_edit.new_text for each in found.items}


@pytest.mark.parametrize("name", ["list", "list.pb", "list.json", "list.md"])
def test_what_a_file_is_follows_from_its_text_and_foreign_files_get_nothing(desk: Desk, name: str) -> None:
    uri = (desk.root / name).as_uri()
    desk.editor.open(
        uri, "id: shop\nname: Shop\nsteps:\n  - id: one\n    description: Do it 😀\n    expectd_tools: []\n"
    )
    (finding,) = desk.editor.findings(uri)
    assert finding.code == "unknown-key"
    assert [each.name for each in desk.editor.of(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, uri)] == ["Shop"]
    assert desk.editor.of(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, uri).data
    foreign = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: $x\nspec:\n  containers: []\n"
    desk.editor.change(uri, 2, lsp.TextDocumentContentChangeWholeDocument(foreign))
    assert desk.editor.findings(uri, 2) == []
    assert not desk.editor.of(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, uri)
    assert not desk.editor.of(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, uri).data
    assert not desk.editor.at(lsp.TEXT_DOCUMENT_COMPLETION, uri, lsp.Position(0, 3)).items
    assert not desk.editor.at(lsp.TEXT_DOCUMENT_DEFINITION, uri, lsp.Position(3, 9))
    desk.editor.close(uri)
    assert desk.editor.findings(uri, None) == []


def test_without_the_library_the_command_says_what_to_install(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in sys.modules if each.startswith("workbench.cli.language_server.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    monkeypatch.setattr(command, "taken_wires", pytest.fail)
    done = terminal.run("lsp")
    assert done.code == 2
    assert "pip install pygls" in done.err


def test_what_nobody_waits_for_any_more_is_not_begun_and_holds_no_key_up() -> None:
    done: list[str] = []
    may_end = Event()

    def long() -> None:
        may_end.wait(PATIENCE_S)
        done.append("long")

    async def work() -> None:
        session = Session(None)
        first = asyncio.create_task(session.beside(long))
        second = asyncio.create_task(session.beside(partial(done.append, "given up")))
        await asyncio.sleep(0)
        session.put(OpenDocument("untitled:1", 1, derive(SourceText("# A\n## Main\n- $x = 1\n")), Encoding.UTF16))
        second.cancel()
        await asyncio.wait({second})
        assert done == []
        may_end.set()
        await first
        await session.beside(partial(done.append, "last"))
        session.close()

    asyncio.run(work())
    assert done == ["long", "last"]
