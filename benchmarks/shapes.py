"""Texts of any size, in every shape that could make reading slow: more of the same, of one kind.

The benchmark takes the time of large ones; a test counts the work of small ones.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator

from workbench.model.assembly.compiling import compile_assembly
from workbench.model.converting import comments_of, to_markdown, to_steplist
from workbench.model.layout.program import layout_program
from workbench.model.links import links_of
from workbench.model.loader.loading import read_steplist
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

HEAD = "# A\n\n## M\n### Steps\n"
LIST = "id: a\nname: b\nsteps:\n"
TOKENS = [
    "# A\n", "## B\n", "### Steps\n", "- a\n", "  - b\n", "\t- c\n", "1. x\n", "2) y\n", "```\n", "```py\n", "~~~\n",
    "<!-- c -->\n", "<!-- open\n", "-->\n", "\n", "  \n", "text\n", "  text\n", "    code\n", "---\n", "***\n", "- ",
    "===\n", "--\n", "Words.\n", "- [ ] a\n", "[x] ", "[ ]",
    "| # | Do |\n", "|---|---|\n", "| 1 | a |\n", "a | b\n", "`",
    "<!--", " -->", "\r\n", "\r", "#!x\n", "k: v\n", "  - l\n", "\u2028", "\x0b", "é", "😀",
]  # fmt: skip
"""Lines and marks that matter to the scanner."""
GRAMMAR = [
    *TOKENS, "### Triggers\n", "### Notes\n", "- If $x > 1\n", "- Otherwise\n", "- While $x < 3\n", "- $x = F($y)\n",
    "- For each $i in $xs\n", "{$x}", "!import a\n", "- Ask user for $a\n", '- Tell user "{$x}"\n', "`F($x)`",
    "- 01:EXE x\n", "- T1:BGN x\n", "(", "[", "{", '"', "'", "$", "step 9 and 10", "| a | b |\n",
    "> q\n", " and ", " is ",
    "metadata:\n", "```python\n@playbook\ndef f(): pass\n```\n",
]  # fmt: skip
MARKS = "ab -#`<>!{}[]()$\"'\n\t1.:=é"


def repeated(piece: str, lead: str = "") -> Callable[[int], str]:
    """A text of a wanted size, made of *piece*."""
    return lambda size: lead + piece * (size // len(piece))


def numbered(make: Callable[[int], str], lead: str = HEAD) -> Callable[[int], str]:
    """A text of a wanted size, made of pieces that are all different."""
    return lambda size: lead + "".join(_pieces(make, size))


def _pieces(make: Callable[[int], str], size: int) -> Iterator[str]:
    number = 0
    while size > 0:
        piece = make(number)
        size -= len(piece)
        number += 1
        yield piece


def mixed(size: int) -> str:
    """Pieces of the grammar in random order."""
    return numbered(lambda number: random.Random(number).choice(GRAMMAR), "")(size)


def characters(size: int) -> str:
    """Marks of the grammar in random order."""
    return "".join(random.Random(3).choices(MARKS, k=size))


SHAPES: dict[str, Callable[[int], str]] = {
    "pieces of the grammar": mixed,
    "marks": characters,
    "openings of comments": repeated("<!--"),
    "openings of comments in a step": repeated("<!--", f"{HEAD}- "),
    "openings of comments in a heading": repeated("<!--", "# "),
    "openings of fences": repeated("```sh\n"),
    "indented fences": numbered(lambda number: " " * (number % 90) + "```sh\n"),
    "blanks before a comment": lambda size: f"{HEAD}- a{' ' * size}b <!-- c -->\n",
    "one deep list": numbered(lambda number: "\t" * min(number, 300) + "- a\n"),
    "children of one step": repeated("  - a\n", f"{HEAD}- a\n"),
    "breaks in one loop": repeated("  - break\n", f"{HEAD}- While $x\n"),
    "branches in one loop": repeated("  - If $x == 1\n    - $y = 2\n", f"{HEAD}- While $x > 1\n"),
    "agents": numbered(lambda number: f"# B{number}\n## M\n### Steps\n- a\n", ""),
    "playbooks that call each other": numbered(
        lambda number: f"## B{number}()\n### Steps\n- B{number + 1}()\n", "# A\n"
    ),
    "loops that call each other": numbered(
        lambda number: f"## B{number}()\n### Steps\n- While $x > 1\n  - B{number + 1}()\n", "# A\n"
    ),
    "parameters of other playbooks": numbered(
        lambda number: f"## B{number}($p{number})\n### Steps\n- $x = $p{number + 1}\n- B{number + 1}(1)\n", "# A\n"
    ),
    "variables that are set later": numbered(lambda number: f"- $x{number} = $v{number}\n- $v{number} = 1\n"),
    "slips of the pen": numbered(lambda number: f"- Retrun {number}\n- F{number}($x\n-Return {number}\n- If $x > 1\n"),
    "hidden characters": repeated("- \u200ba\n", HEAD),
    "variables that nothing sets": numbered(lambda number: f"- $v{number} = $w{number}\n"),
    "calls of nothing": numbered(lambda number: f"- Call{number}()\n"),
    "sentences that fit two playbooks": numbered(
        lambda number: f"- Send the summary {number}\n",
        f"# A\n## SendSummaryUp\n{HEAD[7:]}- a\n## SendSummaryDown\n### Steps\n",
    ),
    "triggers": numbered(lambda number: f"- When $v{number} > 3\n", "# A\n## M\n### Triggers\n"),
    "mentions of steps": numbered(lambda number: f"- see step {number + 9999}\n"),
    "assembly": numbered(lambda number: f"- {number:02d}:JMP {number + 5:02d}\n"),
    "functions of one name": repeated("@playbook\ndef f(): pass\n", "# A\n```python\n"),
    "fences of Python": repeated("```python\n@playbook\ndef f(): pass\n```\n", "# A\n"),
    "placeholders": numbered(lambda number: f"x {{$v{number}}} y\n", "# A\n## M\n"),
    "metadata": numbered(lambda number: f"key{number}: {number}\n", "# A\n## M\n"),
    "parameters": repeated("$a, ", "# A\n## F("),
    "brackets": repeated("(", f"{HEAD}- $x = F"),
    "quotes": repeated("\"'", f"{HEAD}- Tell user "),
    "rows of one table": numbered(lambda number: f"| {number} | Wash it |\n", "# A\n## Steps\n| # | Do |\n|---|---|\n"),
    "names of tables": repeated("|---|\n", "a\n"),
    "cells of one row": repeated("`a|", "# A\n## Steps\n| Step |\n|---|\n"),
    "boxes": repeated("- [ ] a\n  1. [x] [ ]\n", HEAD),
    "underlined headings": numbered(lambda number: f"Part {number}\n---\n- a\n", "A\n===\n"),
    "lines of dashes below what is no title": repeated("  --\n", "a: b\n"),
    "lines of dashes below a quotation": repeated("==\n", "> q\n"),
    "imports": repeated("!import a\n"),
    "links": numbered(lambda number: f"- [a{number}](b{number}.md) [c][d{number}]\n\n[d{number}]: e.md\n"),
    "openings of links": repeated("[![a](<b", f"{HEAD}- "),
    "equal steps": repeated("- Do it\n", HEAD),
    "a long chain of conditions": numbered(lambda number: f"- {'Else if' if number else 'If'} $x == {number}\n  - a\n"),
    "equal elements": repeated("- id: a\n  description: Do it\n", LIST),
    "groups of equal elements": repeated(
        "- id: g\n  title: G\n  steps:\n  - {id: a, description: b}\n", "id: a\nname: b\nstep_groups:\n"
    ),
    "elements with anchors": numbered(
        lambda number: f"- id: &a{number} {number % 9}\n  description: *a{number}\n", LIST
    ),
    "elements with aliases": numbered(
        lambda number: f"- <<: *all\n  id: a{number}\n", f"metadata: &all {{description: d}}\n{LIST}"
    ),
    "keys that stand twice": repeated("  description: Do it\n", f"{LIST}- id: a\n"),
    "keys of JSON that stand twice": lambda size: '{"steps": [{"id": "a"' + ', "id": 1' * (size // 9) + "}]}",
    "a chain of steps in a graph": numbered(
        lambda number: f"- id: a{number}\n  goal: g\n  after: [a{number + 1}]\n", f"version: playbook.v2\n{LIST}"
    ),
    "links to nothing in a graph": numbered(
        lambda number: f"- id: a{number}\n  goal: g\n  after: [b{number}]\n", f"version: playbook.v2\n{LIST}"
    ),
}


def open_text(text: str) -> None:
    """Everything that the window does with a text when it is opened, and turning it into the other forms."""
    snapshot = derive(SourceText(text))
    layout_program(snapshot)
    assert len(snapshot.diagnostics) >= 0
    assert len(links_of(snapshot)) >= 0
    assert compile_assembly(snapshot).text
    if not snapshot.program.format.is_steplist:
        to_steplist(snapshot)
    elif (listed := read_steplist(text).playbook) is not None:
        assert to_markdown(listed, comments_of(text)).text


def forget() -> None:
    """Empty all caches of the program: what a text costs must not depend on the texts before it."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "workbench":
            for value in list(vars(module).values()):
                if hasattr(type(value), "cache_clear"):  # an expression would be compiled to answer itself
                    value.cache_clear()
