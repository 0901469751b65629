"""Names in playbooks: where each is defined and used, and that another name leaves nothing behind."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.check import snapshot_of
from tests.core.strategies import documents, programs
from workbench.editing.commands import Refusal
from workbench.editing.symbol_renaming import rename_symbol
from workbench.model.program import Playbook
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import own_facts
from workbench.search.across import Project, python_usages
from workbench.search.files import FileText
from workbench.search.programs import JoinedProgram
from workbench.search.symbols import Symbol, SymbolKind, symbol_at, symbol_named, usages_of
from workbench.syntax.text import SourceText

VARIABLE, PLAYBOOK, TOOL = SymbolKind.VARIABLE, SymbolKind.PLAYBOOK, SymbolKind.TOOL
TEXT = """\
# Desk
It keeps {$total}.

```python
@playbook(triggers=["When $total > 9"])
async def weigh(grams: int = 1):
    self.state.total = grams + self.state["total"]
    return weigh(1)
```

## Main
### Triggers
- When $total > 3
### Steps
- $total = $price * 2 <!-- $total -->
- `$r = Check($total)`
- Check(total=$total, price=1)
- Check with: total=1
- Tell user "It is {$total} of $totals."
  ```bash
  echo $total
  ```
- $w = weigh($total)
- refund(total=$total)

## Check($total)
- Return $total['x']

# Clerk
## Check
- $total = Desk.Check(1)
- Check()
"""


def spans(snapshot: Snapshot, symbol: Symbol) -> list[str]:
    """The lines on which *symbol* stands, each once for each time; with a star where it is defined."""
    lines = snapshot.lines
    return [f"{lines.line(each.span.start) + 1}{'*' * each.is_definition}" for each in usages_of(snapshot, symbol)]


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        (Symbol(VARIABLE, "total", "Desk"), "2 5 7 7 13 15* 15 16 17 17 18 19 23 24 26* 27"),
        (Symbol(VARIABLE, "total", "Clerk"), "31*"),
        (Symbol(PLAYBOOK, "Check", "Desk"), "16 17 18 26* 31"),
        (Symbol(PLAYBOOK, "Check", "Clerk"), "30* 32"),
        (Symbol(TOOL, "weigh", "Desk"), "6* 8 23"),
        (Symbol(TOOL, "refund"), "24"),
    ],
)
def test_a_name_is_found_where_it_means_that_and_nowhere_else(symbol: Symbol, found: str) -> None:
    snapshot = snapshot_of(TEXT)
    assert " ".join(spans(snapshot, symbol)) == found
    for usage in usages_of(snapshot, symbol):
        at = symbol_at(snapshot, usage.span.start)
        is_word = symbol.kind is not VARIABLE or TEXT[usage.span.start - 1] == "$"
        assert at == symbol or not is_word, "a parameter or attribute is a word of its own"


def test_between_names_there_is_none() -> None:
    snapshot = snapshot_of(TEXT)
    assert [symbol_at(snapshot, TEXT.index(words)) for words in ("It keeps", "When", "echo", "price=1")] == [None] * 4


LOCALS = """\
# D

## Main(total, $x)
Adds {total} and {total.tax} up, not total.
### Steps
- item = total * 2
- $y = [total for total in items if total > 1]
- Tell user "The total is {total} and {item.total}, {F(total=1)}" <!-- total -->
- Return total
- Check the total of {total + 1}
- F(total=total, n=item)
- While total < 3
  - total = total + 1
- Extract $total from the letter

## F(total, n)
- Return total
"""


def local(name: str, playbook: str) -> Symbol:
    return Symbol(VARIABLE, name, "D", playbook)


@pytest.mark.parametrize(
    ("symbol", "found"),
    [
        (local("total", "Main"), "3* 4 4 6 8 9 10 11 12 13* 13"),
        (local("total", "F"), "8 11 16* 17"),
        (local("item", "Main"), "6* 8 11"),
        (local("n", "F"), "11 16*"),
        (local("x", "Main"), ""),
        (local("letter", "Main"), ""),
    ],
)
def test_a_variable_without_a_sign_is_known_to_its_playbook_alone(symbol: Symbol, found: str) -> None:
    snapshot = snapshot_of(LOCALS)
    assert " ".join(spans(snapshot, symbol)) == found
    own = [each for each in usages_of(snapshot, symbol) if symbol.playbook == "Main" or each.is_definition]
    assert [symbol_at(snapshot, each.span.start) for each in own] == [symbol] * len(own)


def test_playbooks_of_one_name_have_variables_of_their_own() -> None:
    snapshot = snapshot_of("# A\n## Main(n)\n- $x = n\n# B\n## Main(n)\n- Return n\n- A.Main(n=1)\n- Main(n=2)\n")
    found = [" ".join(spans(snapshot, Symbol(VARIABLE, "n", agent, "Main"))) for agent in "AB"]
    assert found == ["2* 3 7", "5* 6 8"]


def test_a_variable_without_a_sign_gets_another_name_in_its_playbook(tmp_path: Path) -> None:
    project = project_of(tmp_path, a__md=LOCALS)
    wanted = LOCALS.replace("F(total=", "F(much=").replace("## F(total, n)", "## F(much, n)")
    wanted = wanted.replace("(much, n)\n- Return total", "(much, n)\n- Return much")
    assert renamed(project, "a.md", local("total", "F"), "much")["a.md"] == wanted
    changed = renamed(project, "a.md", local("total", "Main"), "much")["a.md"]
    assert "- much = much + 1\n- Extract $total" in changed
    assert "F(total=much, n=item)" in changed
    assert symbol_named(project.snapshot("a.md"), "item") == local("item", "Main")
    assert symbol_named(project.snapshot("a.md"), "total").kind is TOOL, "two playbooks have one"


@pytest.mark.parametrize(
    ("symbol", "new", "code"),
    [
        (local("total", "Main"), "item", "name-taken"),
        (local("total", "Main"), "x", "name-taken"),
        (local("total", "Main"), "$sum", "no-name"),
        (local("item", "Loop"), "fresh", "other-meaning"),
    ],
)
def test_a_variable_without_a_sign_gets_no_name_that_would_change_a_step(
    symbol: Symbol, new: str, code: str, tmp_path: Path
) -> None:
    loop = "\n## Loop(items)\n- For each item in items\n  - Tell user {item}\n"
    refused = rename_symbol(project_of(tmp_path, a__md=LOCALS + loop), "a.md", symbol, new)
    assert isinstance(refused, Refusal)
    assert refused.code == code


def project_of(folder: Path, **texts: str) -> Project:
    """The project in *folder* with these files; two low lines in a name stand for a dot."""
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text)
    return Project(folder)


def renamed(project: Project, path: str, symbol: Symbol, new: str) -> dict[str, str]:
    """The text of each file that changes."""
    changes = rename_symbol(project, path, symbol, new)
    assert not isinstance(changes, Refusal), changes
    return {change.path: change.text_after for change in changes}


def test_files_that_import_each_other_are_changed_together(tmp_path: Path) -> None:
    project = project_of(
        tmp_path,
        desk__md="# Desk\n## Main\n- $sum = Look()\n!import part.md\n",
        part__md="## Look\n- Return $sum\n- Look()\n",
        other__md="# Other\n## Look\n- $sum = 1\n",
    )
    assert renamed(project, "desk.md", Symbol(VARIABLE, "sum", "Desk"), "$total") == {
        "desk.md": "# Desk\n## Main\n- $total = Look()\n!import part.md\n",
        "part.md": "## Look\n- Return $total\n- Look()\n",
    }
    called = symbol_at(project.snapshot("desk.md"), 26)
    assert called == Symbol(TOOL, "Look"), "the file alone does not know it"
    assert renamed(project, "desk.md", called, "See") == {
        "desk.md": "# Desk\n## Main\n- $sum = See()\n!import part.md\n",
        "part.md": "## See\n- Return $sum\n- See()\n",
    }


PARAMETERS = {
    "main__md": (
        "# Desk\n## Main\n- $r = Look(city=$x, limit=3)\n- Look with: city=1, limit=2\n- Wait(limit=1)\n"
        "!import part.md\n"
    ),
    "part__md": (
        "## Look($city, limit) -> str\nIn {$city}, {limit}.\n- Return limit\n\n## Wait(limit)\n- Return limit\n"
    ),
    "clerk__md": (
        "# Clerk\n## Main\n- $r = Desk.Look(city=1, limit=2)\n- Look(limit=1)\n- $city = Sky.Look(city=2)\n"
        "!import main.md\n"
    ),
    "other__md": "# Other\n## Main\n- Look(city=1, limit=2)\n",
    "main__script__yaml": (
        "answers:\n- {step: Look:01, values: {city: 1, limit: 2}}\n- values: {$city: 1}\n"
        "- {step: Wait:01, values: {limit: 3}}\n"
    ),
}


@pytest.mark.parametrize(
    ("written", "new", "told"),
    [
        (
            "$city",
            "town",
            {
                "part.md": ["Look($city|Look($town", "{$city}|{$town}"],
                "main.md": ["Look(city=|Look(town=", "with: city|with: town"],
                "clerk.md": ["Desk.Look(city=|Desk.Look(town="],
                "main.script.yaml": ["{city: 1|{town: 1", "{$city|{$town"],
            },
        ),
        (
            "Look.limit",
            "most",
            {
                "part.md": [", limit) |, most) ", "{limit}.\n- Return limit|{most}.\n- Return most"],
                "main.md": ["limit=3|most=3", "limit=2|most=2"],
                "clerk.md": ["limit=2|most=2", "Look(limit|Look(most"],
                "main.script.yaml": ["limit: 2|most: 2"],
            },
        ),
        (
            "Look",
            "See",
            {
                "part.md": ["Look|See"],
                "main.md": ["Look|See"],
                "clerk.md": ["Desk.Look|Desk.See", "- Look|- See"],
                "main.script.yaml": ["Look:|See:"],
            },
        ),
    ],
)
def test_calls_in_other_files_follow_a_playbook_and_its_parameters(
    written: str, new: str, told: dict[str, list[str]], tmp_path: Path
) -> None:
    project = project_of(tmp_path, **PARAMETERS)
    symbol = symbol_named(project.snapshot("part.md"), written)
    wanted = {}
    for name, changes in told.items():
        wanted[name] = PARAMETERS[name.replace(".", "__")]
        for before, after in (each.split("|") for each in changes):
            wanted[name] = wanted[name].replace(before, after)
    assert renamed(project, "part.md", symbol, new) == wanted
    for name, text in wanted.items():
        (tmp_path / name).write_text(text)
    changed = Project(tmp_path)
    assert not changed.usages("part.md", symbol), "nothing is left behind"
    moved = symbol_named(changed.snapshot("part.md"), written.replace(symbol.name, new))
    back = renamed(changed, "part.md", moved, symbol.name)
    assert back == {name: PARAMETERS[name.replace(".", "__")] for name in told}


def test_triggers_wait_for_calls_by_the_new_name(tmp_path: Path) -> None:
    text = (
        "# Desk\n```python\n@playbook(triggers=['T1:CND After calling Look', \"When weigh fails\"])\ndef weigh():\n"
        "    pass\n```\n## Look\n### Triggers\n- Before calling weigh\n- When Desk.Look fails\n- When Look is a word\n"
        "### Steps\n- $it.Look()\n"
    )
    project = project_of(tmp_path, desk__md=text)
    after = text.replace("calling Look", "calling See").replace("## Look", "## See")
    after = after.replace(".Look", ".See")
    assert renamed(project, "desk.md", Symbol(PLAYBOOK, "Look", "Desk"), "See")["desk.md"] == after
    after = re.sub(r"\bweigh\b", "measure", text)
    assert renamed(project, "desk.md", Symbol(TOOL, "weigh", "Desk"), "measure")["desk.md"] == after


def test_links_to_a_heading_follow_the_name_of_its_playbook(tmp_path: Path) -> None:
    text = (
        "# Ops\n\n## Fix it\n\n1. See [this](#fix-it), [[ops#fix-it]] and [that](other.md#fix-it)\n2. [Restart][r]\n\n"
        "[r]: ops.md#Fix-It\n"
    )
    other = "# Other\n\n## Fix it\n\n1. Go on with [it](ops.md#fix-it), not [mine](#fix-it)\n"
    project = project_of(tmp_path, ops__md=text, other__md=other)
    assert renamed(project, "ops.md", symbol_named(project.snapshot("ops.md"), "FixIt"), "Mend it") == {
        "ops.md": re.sub("(?i)(?<!other.md#)fix(.)it", lambda match: f"{'mM'[match[1] == ' ']}end{match[1]}it", text),
        "other.md": other.replace("ops.md#fix-it", "ops.md#mend-it"),
    }


def test_a_name_that_another_part_of_the_program_has_is_refused(tmp_path: Path) -> None:
    parts = {"main__md": "# D\n## Main\n- Go()\n!import a.md\n!import b.md\n", "a__md": "## Go()\n- $total = 1\n"}
    project = project_of(tmp_path, **parts, b__md="## Come()\n- $sum = 2\n")
    for written, new in (("$total", "$sum"), ("Go", "Come")):
        symbol = symbol_named(project.snapshot("a.md"), written)
        refused = rename_symbol(project, "a.md", symbol, new)
        assert isinstance(refused, Refusal) and refused.code == "name-taken"


def test_a_part_of_two_programs_is_renamed_in_both(tmp_path: Path) -> None:
    texts = {
        "a__md": "# A\n## Main\n- $sum = 1\n!import part.md\n",
        "b__md": "# B\n## Main\n- Tell $sum\n!import part.md\n",
    }
    project = project_of(tmp_path, **texts, part__md="## Look()\n- Return $sum\n", c__md="# A\n## Main\n- $sum = 1\n")
    changed = renamed(project, "a.md", Symbol(VARIABLE, "sum", "A"), "all")
    assert set(changed) == {"a.md", "b.md", "part.md"}
    assert all("$sum" not in text for text in changed.values())


def test_the_interface_of_an_agent_names_what_it_offers(tmp_path: Path) -> None:
    parameters = '{"properties": {"city": {}, "n": {}}, "required": ["city"]}'
    offered = f'[{{"name": "Look", "parameters": {parameters}, "triggers": ["When $city"]}}]'
    text = f"# Desk\n## Look($city, n)\n- Return n\n```public.json\n{offered}\n```\n"
    project = project_of(tmp_path, desk__md=text)
    for symbol, new in (
        (Symbol(VARIABLE, "city", "Desk"), "town"),
        (Symbol(VARIABLE, "n", "Desk", "Look"), "most"),
        (Symbol(PLAYBOOK, "Look", "Desk"), "See"),
    ):
        wanted = re.sub(rf"\b{symbol.name}\b", new, text)
        assert renamed(project, "desk.md", symbol, new)["desk.md"] == wanted


def test_a_tool_is_renamed_in_its_python_file_and_in_every_playbook(tmp_path: Path) -> None:
    project = project_of(
        tmp_path,
        tools__py="def refund(x):\n    return refund.x or a.refund\n",
        a__md="# A\n## Main\n- refund(1)\n- $x = refund(2) + 1\n- Talk about the refund\n",
        b__yaml="id: b\nname: B\nsteps:\n- id: s\n  description: refund them\n  expected_tools: [look, refund]\n",
        own__md="# C\n```python\n@playbook\ndef refund():\n    pass\n```\n## Main\n- refund()\n",
    )
    assert renamed(project, "a.md", Symbol(TOOL, "refund"), "pay_back") == {
        "a.md": "# A\n## Main\n- pay_back(1)\n- $x = pay_back(2) + 1\n- Talk about the refund\n",
        "b.yaml": "id: b\nname: B\nsteps:\n- id: s\n  description: refund them\n  expected_tools: [look, pay_back]\n",
        "tools.py": "def pay_back(x):\n    return pay_back.x or a.refund\n",
    }


SCRIPT = """\
answers:
- step: "Main:01"
  values: {total: 1, price: {total: 2}}
- {step: Check:02, text: total refund}
tools: {refund: [1], look: 2}
failures:
  "refund": {"2": no}
approvals:
- {tool: refund, args: {refund: 1}, allow: true}
messages:
- {text: Check, triggers: [Check, "Check:T1", Checked]}
"""


@pytest.mark.parametrize(
    ("symbol", "new", "lines"),
    [
        (Symbol(VARIABLE, "total", "Desk"), "sum", {3: "  values: {sum: 1, price: {total: 2}}"}),
        (
            Symbol(PLAYBOOK, "Check", "Desk"),
            "Look over",
            {
                4: "- {step: LookOver:02, text: total refund}",
                11: '- {text: Check, triggers: [LookOver, "LookOver:T1", Checked]}',
            },
        ),
        (
            Symbol(TOOL, "refund"),
            "pay",
            {
                5: "tools: {pay: [1], look: 2}",
                7: '  "pay": {"2": no}',
                9: "- {tool: pay, args: {refund: 1}, allow: true}",
            },
        ),
    ],
)
def test_the_script_beside_a_playbook_answers_by_the_new_name(
    symbol: Symbol, new: str, lines: dict[int, str], tmp_path: Path
) -> None:
    text = "# Desk\n## Main\n- Ask for $total\n- refund($total)\n## Check\n- Return 1\n"
    texts = {"desk__md": text, "desk__script__yaml": SCRIPT, "tools__py": "def refund():\n    pass\n"}
    project = project_of(tmp_path, **texts, other__script__yaml=SCRIPT.replace("refund", "look"))
    wanted = SCRIPT.splitlines()
    for number, line in lines.items():
        wanted[number - 1] = line
    changed = renamed(project, "desk.md", symbol, new)
    assert changed["desk.script.yaml"].splitlines() == wanted
    assert "other.script.yaml" not in changed


def test_what_a_playbook_says_of_a_tool_holds_for_its_new_name(tmp_path: Path) -> None:
    text = "---\ntools: [look, refund]\n---\n# Desk\ntools: refund, refund.x\n\n## Main\n- refund(1)\n"
    project = project_of(tmp_path, desk__md=text, tools__py="def refund():\n    pass\n")
    changed = renamed(project, "desk.md", Symbol(TOOL, "refund"), "pay")
    after = text.replace("refund]", "pay]").replace(": refund,", ": pay,").replace("- refund", "- pay")
    assert changed["desk.md"] == after


LIMITS = """\
forbid = ["refund"]  # of no table
[settings] # refund
only = ["refund"]
[tools]
modules = ["tools.py"]
ask = ["look", 'refund',  # "refund"
  "refund.x", "[", "refund"]
forbid = []
only=["refund"]
"""


def test_what_a_project_limits_holds_for_the_new_name_of_a_tool(tmp_path: Path) -> None:
    texts = {"tools__py": "def refund():\n    pass\n", "desk__md": "# Desk\n## Main\n- refund(1)\n"}
    project = project_of(tmp_path, **texts, workbench__toml=LIMITS)
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "workbench.toml").write_text('tools.forbid = ["refund"]\n')
    changed = renamed(project, "desk.md", Symbol(TOOL, "refund"), "pay")
    before, after = LIMITS.split("ask = ")
    for said in ("'refund'", '"[", "refund"]', 'only=["refund"]'):
        after = after.replace(said, said.replace("refund", "pay"))
    assert changed["workbench.toml"] == f"{before}ask = {after}"
    assert tomllib.loads(changed["workbench.toml"])["tools"]["ask"] == ["look", "pay", "refund.x", "[", "pay"]
    assert changed["part/workbench.toml"] == 'tools.forbid = ["pay"]\n'
    own = "# Desk\n```python\n@playbook\ndef refund():\n    pass\n```\n## Main\n- refund()\n"
    (tmp_path / "desk.md").write_text(own)
    assert "workbench.toml" in renamed(Project(tmp_path), "desk.md", Symbol(TOOL, "refund", "Desk"), "pay")


@pytest.mark.parametrize(
    ("symbol", "new", "code"),
    [
        (Symbol(VARIABLE, "total", "Desk"), "$price", "name-taken"),
        (Symbol(VARIABLE, "total", "Desk"), "two words", "no-name"),
        (Symbol(VARIABLE, "total", "Desk"), "$total", "same-name"),
        (Symbol(VARIABLE, "nothing", "Desk"), "$x", "unknown"),
        (Symbol(TOOL, "refund"), "pay", "defined-elsewhere"),
        (Symbol(TOOL, "weigh", "Desk"), "Main", "name-taken"),
        (Symbol(TOOL, "weigh", "Desk"), "class", "no-name"),
        (Symbol(PLAYBOOK, "Check", "Desk"), "Main", "name-taken"),
    ],
)
def test_a_name_that_cannot_be_given_is_refused(symbol: Symbol, new: str, code: str, tmp_path: Path) -> None:
    outcome = rename_symbol(project_of(tmp_path, desk__md=TEXT), "desk.md", symbol, new)
    assert isinstance(outcome, Refusal) and outcome.code == code


def test_python_that_neither_defines_nor_imports_a_name_does_not_mean_it() -> None:
    assert [usage.span.start for usage in python_usages("from t import refund\nrefund()\n", "refund")] == [14, 21]
    assert not list(python_usages("refund = 1\n", "refund"))
    assert not list(python_usages("def refund(:\n", "refund"))


class _OneFile(Project):
    """A project of one text, which stands on no disk."""

    def __init__(self, text: str) -> None:
        super().__init__(Path())
        self.__dict__["_all"] = {"a.md": FileText("a.md", b"", SourceText(text))}


def _names_in(playbook: Playbook) -> Iterator[str]:
    for section in playbook.sections:
        for step in (step for root in section.steps for step in root.walk()):
            yield from own_facts(step).sets | own_facts(step).read_names


def _symbols(snapshot: Snapshot) -> list[Symbol]:
    found = []
    for agent in snapshot.program.agents:
        names = dict.fromkeys(re.findall(r"(?<![\w$])\$([^\W\d]\w*)", snapshot.text))
        found += [Symbol(VARIABLE, name, agent.name) for name in names]
        bare = {(each.name, name) for each in agent.playbooks for name in _names_in(each) if name[0] != "$"}
        found += [Symbol(VARIABLE, name, agent.name, playbook) for playbook, name in sorted(bare)]
        found += [Symbol(PLAYBOOK, each.name, agent.name) for each in agent.playbooks if each.heading is not None]
        found += [Symbol(TOOL, each.name, agent.name) for each in agent.functions]
    return [symbol for symbol in found if usages_of(snapshot, symbol)]


@settings(max_examples=examples(12, 50))
@given(text=st.one_of(programs(), documents()), data=st.data())
def test_another_name_leaves_no_usage_behind_and_changes_nothing_else(text: str, data: st.DataObject) -> None:
    project = _OneFile(text)
    before = project.snapshot("a.md")
    symbols = _symbols(before)
    if not symbols:
        return
    symbol = data.draw(st.sampled_from(symbols))
    changes = rename_symbol(project, "a.md", symbol, "Fresh9")
    if isinstance(changes, Refusal):
        assert symbol.kind is PLAYBOOK or symbol.playbook or _has_two(before, symbol)
        return
    after = snapshot_of(changes[0].text_after)
    moved = replace(symbol, name="Fresh9")
    assert not usages_of(after, symbol) or _has_two(before, symbol)
    assert len(usages_of(after, moved)) >= len(usages_of(before, symbol)) or symbol.kind is PLAYBOOK
    if symbol.kind is not PLAYBOOK:
        assert after.text.replace("Fresh9", symbol.name) == text
    _check_same_meaning(before, after, symbol)


def _has_two(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether two of one agent are called so, or two agents."""
    named = [agent for agent in snapshot.program.agents if agent.name == symbol.agent]
    return len(named) > 1 or sum(each.name == symbol.name for each in named[0].playbooks) > 1


def _check_same_meaning(before: Snapshot, after: Snapshot, symbol: Symbol) -> None:
    """Every step is of the same kind, and sets and reads the same, but for the name."""
    steps = [[step for root in each.roots if root for step in root.walk()] for each in (before, after)]
    assert [step.kind for step in steps[0]] == [step.kind for step in steps[1]]
    if symbol.kind is VARIABLE:
        fresh = replace(symbol, name="Fresh9").written
        for one, other in zip(*steps, strict=True):
            back = {symbol.written if name == fresh else name for name in own_facts(other).sets}
            assert back == set(own_facts(one).sets)


CALLS = st.sampled_from(
    [
        "Check(total=$x)", "$r = Clerk.Count(total=1)", "Greet with: name=$name, city=1",
        "`$r = Fetch(city=$total)`",
        "Desk.Fetch($total, city=city)", 'Tell user "{Fetch(city=1)}"', "$total = 1", "city = Greet(city=3)",
        "Call Check",
    ]
)  # fmt: skip
PARTS = st.sampled_from(
    [
        "## Fetch($total, city)\n- Return {city}\n", "## Check($total, city=1)\n- city = $total\n- Greet(city=city)\n",
        "# Clerk\n## Count($total)\n- Desk.Fetch($total, city=2)\n", "### Notes\n- {$total}\n",
    ]
)  # fmt: skip


@st.composite
def _joined_files(draw: st.DrawFn) -> dict[str, str]:
    """Files that import each other: a program, and parts with playbooks that each of them calls."""
    steps = [f"- {each}\n" for each in draw(st.lists(CALLS, min_size=1, max_size=4))]
    part = "".join(sorted(draw(st.lists(PARTS, min_size=1, max_size=3)), key=lambda each: each.startswith("# ")))
    start = draw(st.one_of(programs(), st.just("# Desk\n\n## Main\n")))
    imports = draw(st.sampled_from(["!import part.md\n", "!import part.md\n!import more.md\n"]))
    more = draw(st.sampled_from(["", "# Clerk\n", "# Sky\n## Main\n"])) + "".join(draw(st.permutations(steps)))
    above = draw(st.sampled_from(["", "# Top\n## Main\n- Desk.Check(total=2)\n!import main.md\n"]))
    ends = "\r\n" if "\r\n" in start else "\n"
    main = f"{start.rstrip()}{ends}{ends}## Further{ends}{ends.join((''.join(steps) + imports).splitlines())}{ends}"
    return {"main.md": main, "part.md": part, "more.md": more, **({"top.md": above} if above else {})}


@settings(max_examples=examples(10, 40))
@given(files=_joined_files(), data=st.data())
def test_another_name_leaves_no_usage_behind_in_any_file(files: dict[str, str], data: st.DataObject) -> None:
    with TemporaryDirectory() as place:
        project = _written(Path(place), files)
        path = data.draw(st.sampled_from(sorted(files)))
        symbols = _symbols(project.snapshot(path))
        if not symbols:
            return
        symbol = data.draw(st.sampled_from(symbols))
        before = {each.file.path: len(each.usages) for each in project.usages(path, symbol)}
        changes = rename_symbol(project, path, symbol, "Fresh9")
        if isinstance(changes, Refusal):
            codes = ("other-meaning", "name-taken", "implied")
            assert changes.code in codes or any(_has_two(project.snapshot(each), symbol) for each in [path])
            return
        texts = {each.path: each.text_after for each in changes}
        after = _written(Path(place), texts)
        home, moved = project.meant(path, symbol)
        moved = replace(moved, name="Fresh9")
        is_twice = any(_has_two(project.snapshot(each), symbol) for each in files if _is_there(project, each, symbol))
        assert is_twice or not after.usages(home, symbol)
        if files["main.md"].startswith("# Desk\n\n## Main\n") and "## Count" in files["part.md"]:
            assert is_twice or _codes(after) == _codes(project), "what was known is known, and nothing else"
        if symbol.kind is PLAYBOOK:
            return
        assert {path: text.replace("Fresh9", symbol.name) for path, text in texts.items()} == {
            each: project.files[each].text for each in texts
        }
        if is_twice:
            return
        assert {each.file.path: len(each.usages) for each in after.usages(home, moved)} == before
        back = rename_symbol(after, home, moved, symbol.name)
        assert not isinstance(back, Refusal), back
        assert {each.path: each.text_after for each in back} == {each: files[each] for each in texts}


def _written(folder: Path, files: dict[str, str]) -> Project:
    """The project in *folder* with these files."""
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    project = Project(folder)
    assert set(files) <= set(project.files)
    return project


def _codes(project: Project) -> list[str]:
    """What is found in the program of all files, in their order."""
    path = "top.md" if "top.md" in project.files else "main.md"
    program = JoinedProgram(project.root, path, {name: file.text for name, file in project.files.items()})
    return [each.code for each in program.snapshot.diagnostics]


def _is_there(project: Project, path: str, symbol: Symbol) -> bool:
    return any(agent.name == symbol.agent for agent in project.snapshot(path).program.agents)
