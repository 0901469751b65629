"""Text is code before it is prose: what is code in a step is its source, character for character, marks and all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.engine_driver import play
from tests.core.test_scan import FILES
from tests.core.test_snapshot import book
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.markdown.lowering import readable_text
from workbench.model.meaning import Call, Meaning, Tell
from workbench.model.program import Step
from workbench.model.sentences.classify import classify, classify_trigger, code_in
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

ATOMS = st.sampled_from(
    [
        "2", "10", "$a", "$a__b", "my__var", "x__", '"__init__.py"', '"**x** y"', "'__y__'", '"a  b"', '$x["__k__"]',
        "len($s__t)", "[1, 2]", "($a)", '"/data/__tmp__/x"', '"{**}"',
    ]
)  # fmt: skip
SIGNS = ["**", " ** ", "*", " + ", " - ", "/"]
FORMS = [
    "$v = {}", "$v: int = {}", "v__w = {}", "Set $v to {}", "$v += {}", "`$v = {}`", "F__g({})", "$r = F(1, k={})",
    "`F({})`", "Clerk.F__g({}, 2)", "check with: k={}", "If {} > 1", "Else if {} == $b", "Unless {} > 1", "When {} > 1",
    "While {} < 3", "Until {} == 3", "For each $i in [{}]", "Repeat until {} > 1", "Repeat 3 times until {} > 1",
    "Return {}", 'Say("user", {} + $b)', "Tell user ({} + $b)", "Then return {}",
    "If {} > 1, return 2", "If $b, $v = {}", "If $b, F({})",
    "Otherwise return {}", "If $x is at least {}",
]  # fmt: skip
MARKED = [
    "**If** {} > 1", "**If {} > 1**", "If **{} > 1**", "**Else if** {} > 1", "**While** {} > 1, $n = 1",
    "**Return** {}", "__Return__ {}", "**Return {}**", "**$v = {}**", "**Set** $v **to** {}", "**For each** $i in [{}]",
    "If {} > 1, **return** 2", "**If** {} > 1, **tell user** \"hi\"", "If {} > 1 **then** return",
]  # fmt: skip


@st.composite
def expressions(draw: st.DrawFn, signs: st.SearchStrategy[str]) -> str:
    """Expressions full of signs that are marks in prose."""
    parts = [draw(ATOMS)]
    for _ in range(draw(st.integers(0, 3))):
        parts += (draw(signs), draw(ATOMS))
    return "".join(parts)


def code_of(meaning: Meaning) -> set[str]:
    return set(code_in(meaning))


ANY = expressions(st.sampled_from([*SIGNS, " **", "** "]))
CLEAR = expressions(st.sampled_from(SIGNS))
"""Without what looks like the beginning or the end of marked words."""


@pytest.mark.parametrize(("form", "strategy"), [*((form, ANY) for form in FORMS), *((form, CLEAR) for form in MARKED)])
@given(st.data())
@settings(max_examples=examples(12))
def test_an_expression_is_its_source(form: str, strategy: st.SearchStrategy[str], data: st.DataObject) -> None:
    expression = data.draw(strategy)
    found = code_of(classify(form.format(expression), has_children=False))
    assert any(expression in piece for piece in found)


@given(CLEAR, st.sampled_from(["When {} > 1", "T1:CND {} > 1", "**When** {} > 1", "When **{} > 1**"]))
def test_an_expression_is_its_source_in_a_trigger(expression: str, form: str) -> None:
    assert f"{expression} > 1" in code_of(classify_trigger(form.format(expression)))


MARKS = Path(__file__).parents[1] / "data" / "markdown" / "code-with-marks.md"


def steps_in(snapshot: Snapshot) -> list[Step]:
    return [step for root in snapshot.roots if root for step in root.walk()]


def test_a_file_full_of_marks_runs_on_what_is_written(tmp_path: Path) -> None:
    played = play(derive(SourceText.decode(MARKS.read_bytes())), tmp_path)
    assert "/data/__tmp__/x" in str(played.bodies("tool.call")[0])
    assert played.told() == ["same: /srv/app/__pycache__/old", "keep __init__.py and a**b**c"]
    assert played.state.result == 1024


def test_code_in_a_file_full_of_marks_is_compiled_as_it_is_written() -> None:
    compiled = compile_assembly(derive(SourceText.decode(MARKS.read_bytes()))).text
    for code in ('"/srv/app/__pycache__/old"', 'remove("/data/__tmp__/x")', "2**10", '"keep __init__.py and a**b**c"'):
        assert code in compiled


TOLD = [
    r'"a  b"', r'"a\nb"', r'"C:\\new"', r'"say \"it\'s\" now"', "'{$x[\"q\"]}'", "“as\\n is”", '"{$x} and $y"',
    "$a + 1", "($a)", '"**x** __y__"',
]  # fmt: skip


@pytest.mark.parametrize("words", TOLD)
def test_what_is_told_says_the_same_when_compiled(words: str) -> None:
    source = book(f"# A\n\n## M\n### Steps\n- Tell user {words}\n")
    compiled = book(compile_assembly(source).text)
    assert [_told(step) for step in steps_in(compiled)] == [_told(step) for step in steps_in(source)]


def _told(step: Step) -> list[str]:
    assert isinstance(step.meaning, Tell)
    assert step.meaning.template is not None
    return [piece if isinstance(piece, str) else piece.source for piece in step.meaning.template.pieces]


NAMES = """# A
```python
@playbook
def mcp__git__list(repo): ...
```
## M
### Steps
- $my__var = 5
- $r = mcp__git__list("o/r")
- Tell user "{$my__var} {$r}"
- mcp__git__lost($my_var)
"""


def test_findings_call_names_as_they_are_written() -> None:
    found = {(one.code, one.span.of(NAMES)) for one in book(NAMES).diagnostics if one.span}
    assert found == {("unknown-call", "mcp__git__lost"), ("unset-variable", "$my_var")}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_expression_of_a_file_stands_in_its_step(path: Path) -> None:
    for step in steps_in(derive(SourceText.decode(path.read_bytes()))):
        is_sentence = isinstance(step.meaning, Call) and step.meaning.is_resolved
        pieces = {piece for piece in code_in(step.meaning) if not is_sentence and ("$" in piece or '"' in piece)}
        if "+=" in step.text:  # what is added stands in the step, and the sum is made of it
            pieces = {piece for piece in pieces if "+ (" not in piece}
        assert all(piece in readable_text(step.block.text) for piece in pieces), step.text
