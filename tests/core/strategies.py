"""Generated playbooks: nested lists in every style, comments everywhere, fences, tabs, line ends, strange letters."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "Do it", "$a = 1", "Ask user for $name", 'Tell user "Hi {$name}"', "If $a == 1", "Otherwise", "Return $a",
        "For each $i in [1, 2]", "While $a < 3", "Other()", "größe 🗂️ שלום", "see step 2", "終わり", "x: y",
        "End program", "[ ] Lock up", "[x]  Look out", "[ ]",
    ]
)  # fmt: skip
BULLETS = st.sampled_from(["-", "*", "+", "1.", "2.", "1)", "01."])
INDENTS = st.sampled_from(["  ", "   ", "    ", "\t"])
COMMENTS = st.sampled_from(["<!-- why -->", "<!-- two\n  lines -->", "<!-- - not a step -->"])


@st.composite
def items(draw: st.DrawFn, depth: int = 0, indent: str = "") -> list[str]:
    """The lines of a list, with its children."""
    lines: list[str] = []
    unit = draw(INDENTS)
    bullet = draw(BULLETS)
    counts = draw(st.booleans())
    gap = draw(st.booleans()) and draw(st.booleans())
    for place in range(draw(st.integers(1, 3))):
        if gap and place:
            lines.append("")
        marker = f"{place + 1}." if counts else bullet
        lines += draw(item(f"{indent}{marker} ", indent))
        if depth < 2 and draw(st.booleans()):
            lines += draw(items(depth=depth + 1, indent=indent + unit))
    return lines


@st.composite
def item(draw: st.DrawFn, start: str, indent: str) -> list[str]:
    """The lines of one item without children."""
    extra = draw(st.sampled_from(["", "", "", "above", "trailing", "gap", "fence", "more"]))
    comment = [indent + line for line in draw(COMMENTS).split("\n")]
    head = start + draw(WORDS)
    if extra == "above":
        return [*comment, head]
    if extra == "trailing":
        return [head + " <!-- trailing -->"]
    if extra == "gap":
        return ["", *comment, "", head]
    below = " " * (len(indent.expandtabs(4)) + 4)
    if extra == "fence":
        return [head, f"{below}```bash", f"{below}# no heading", "", f"{below}```"]
    return [head, f"{below}and more"] if extra == "more" else [head]


@st.composite
def playbook(draw: st.DrawFn, name: str) -> list[str]:
    """The lines of one playbook."""
    lines = [f"## {name}"]
    if draw(st.booleans()):
        lines += ["It says what it does.", ""]
    if draw(st.booleans()):
        lines += ["### Triggers", "- At the beginning", *draw(st.sampled_from([[], [""]]))]
    if draw(st.integers(0, 4)):
        lines += ["### Steps", *draw(st.sampled_from([[], [""]])), *draw(items())]
    if draw(st.booleans()):
        lines += draw(st.sampled_from([[], ["", "<!-- end of the list -->", ""], ["", "```sh", "x = 1", "```", ""]]))
        lines += ["### Notes", "- Be brief"]
    return lines


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A whole file."""
    lines = draw(st.sampled_from([[], ["<!-- first -->"], ["---", "title: x", "---"]]))
    lines = [*lines, "# Agent", "", *draw(playbook("Main")), "", *draw(playbook("Other"))]
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return end.join("\n".join(lines).split("\n")) + draw(st.sampled_from(["", end]))


STEPS = st.sampled_from(
    [
        "$total = $price * 2", "count:int = 3", "Ask user for $name:str and $age:int",
        'Tell user "Hi {$name}, {len($xs)}"',
        "`$r = Check($total)`", "$r = Clerk.Check(total=$total)", "Clerk:1001.Check(1)", "Check with: total=1",
        "Load the account of the user", "Extract $date:str from the letter", "Think deeply about $total",
        "Wait for the reply",
        "Return $total", "Return the date", "End program", "break", "continue", "Go to step 2", "Apply N1",
        "see steps 2 and 9",
        "[ ] Post the letter", "[X] $total = 3",
        "Start a review meeting with Clerk and Ada", "!import part.md", "{$x} | `code`", "01:EXE $x = 1",
        "02:QUE F(); YLD for call",
    ]
)  # fmt: skip
HEADS = st.sampled_from(
    [
        "If $total > 100", "If the user is not happy", "Else if $age is at least 18", "Otherwise", "Else",
        "When $x is empty",
        "While $total < 3", "Until the user agrees", "For each $i in [1, 2]", "Repeat 3 times", "Talk, up to 4 turns",
        "If $a is between 1 and 3 and $b contains \"x\"", "01:CND If $x", "03:LOP While $x", "Unless $done",
    ]
)  # fmt: skip
METADATA = st.sampled_from(
    [
        [], ["public: true", "---"], ["metadata:", "  public: true", "  model: large", "---"],
        ["metadata: {hidden: true}", "---"],
        ["execution_mode: react", "cli_entry: true", "---"], ["tags:", "  - a", "---"],
    ]
)  # fmt: skip
BETWEEN = st.sampled_from(
    [
        ["> quoted", ">", "> twice"], ["| a | b |", "|---|---|", "| 1 | 2 |"], ["***"], ["    indented"],
        ["#### Small"], ["Underlined", "words", "---"],
        ["~~~text", "```", "# no heading", "~~~"], ["<!-- a", "comment -->"], ["!import part.md"],
        ["```python", "x = 1", "```"],
        ["A paragraph", "of two lines"], ["```public.json", "[]", "```"], ["- [link]", "- <https://example.org>"],
    ]
)  # fmt: skip
TITLES = st.sampled_from(["### Triggers", "### trigger:", "## Steps", "### STEPS", "### Notes", "### Else"])
AGENTS = st.sampled_from(["# Desk", "# Clerk:AI", "# Ada:Human", "# Sky:MCP", "# Note: this", "# desk"])
SIGNATURES = st.sampled_from(
    [
        "Main", "Check($total:int=3) -> int", "Greet($name, city:str=\"Graz\")", "Look after the user",
        "2nd level", "größe($ä)",
        "F($a, /, *, $b)", "Broken(",
    ]
)  # fmt: skip
PYTHON = [
    "```python", '@playbook(triggers=["When asked"], public=True)',
        "async def weigh(grams: int = 1):", '    """Weighs."""',
    "    return grams", "```",
]  # fmt: skip


@st.composite
def nested_steps(draw: st.DrawFn, depth: int = 0, indent: str = "") -> list[str]:
    """The lines of a list with every kind of step."""
    lines: list[str] = []
    bullet = draw(BULLETS)
    for _place in range(draw(st.integers(1, 4))):
        if depth < 3 and draw(st.booleans()):
            lines.append(f"{indent}{bullet} {draw(HEADS)}")
            lines += draw(nested_steps(depth=depth + 1, indent=indent + draw(INDENTS)))
        else:
            lines += (
                draw(item(f"{indent}{bullet} ", indent)) if draw(st.booleans()) else [f"{indent}{bullet} {draw(STEPS)}"]
            )
    return lines


TRIGGERS = [["- When $total > 3"], ["- T1:BGN At the start", "- After calling Check"], ["When asked"]]


@st.composite
def sections(draw: st.DrawFn) -> list[str]:
    """The sections of a playbook, in any spelling and order."""
    lines: list[str] = []
    for title in draw(
        st.lists(st.sampled_from(["### Triggers", "### trigger:", "## Steps", "### STEPS", "### Notes", "### Else"]))
    ):
        lines += [title, *draw(st.sampled_from([[], [""]]))]
        if "rigger" in title:
            lines += draw(
                st.sampled_from(
                    [["- When $total > 3"], ["- T1:BGN At the start", "- After calling Check"], ["When asked"]]
                )
            )
        elif "Notes" in title:
            lines += ["- N1 Be brief"]
        else:
            lines += draw(nested_steps())
            lines += ["", *draw(BETWEEN), ""] if draw(st.booleans()) else []
    return lines


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A whole file with constructs of every kind: several agents, metadata, Python, sections, text in between."""
    lines = draw(st.sampled_from([[], ["#!/usr/bin/env pb"], ["---", "title: x", "---"], ["before"]]))
    lines = list(lines)
    for agent in draw(
        st.lists(
            st.sampled_from(["# Desk", "# Clerk:AI", "# Ada:Human", "# Sky:MCP", "# Note: this", "# desk"]), max_size=3
        )
    ):
        lines += [agent, *draw(METADATA), "What it is. {$total}", ""]
        lines += PYTHON if draw(st.booleans()) else []
        for signature in draw(st.lists(SIGNATURES, max_size=3)):
            lines += [f"## {signature}", *draw(METADATA), *draw(st.sampled_from([[], ["Does {$total + 1} things."]]))]
            lines += draw(st.one_of(sections(), nested_steps()))
        lines += draw(st.sampled_from([[], ["", "---", ""]]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    return end.join(lines) + draw(st.sampled_from(["", end]))


LINES_AMONG = st.sampled_from(
    [
        ["### Cellar"], ["###### Note"], ["#### Step 2: Look"], ["Attic", "====="], ["Roof", "----"], ["***"], ["---"],
        ["It takes a minute."], ["If it is dark:"], ["**Who is there:**"], ["two lines", "of text"], ["2. or later"],
        ["```sh", "tap on", "```"], ["  ```", "  odd", "  ```"], ["    indented"], ["<!-- part two -->"], ["> quoted"],
        ["| Step | What |", "|---|---|", "| 1 | Wash |", "| 2 | Fold |"], ["**Step 2** Fold"],
        ["Rows:", "# | Do it | By", "--|:--|-:", "1. | Wash \\| fold | `a|b`", " 2. | **Iron** |"], ["<b>bold</b>"],
        ["Step 3: Rest"], ["[link]: https://example.org"],
    ]
)  # fmt: skip
TICKS = st.sampled_from(["", "", "", "[ ] ", "[x] "])
PLAIN_WORDS = st.sampled_from(["Wash", "Fold", "Fold", "**Close** the `lid`", "see step 2", "If it rains", "Iron"])


@st.composite
def plain_items(draw: st.DrawFn, indent: str = "", depth: int = 0) -> list[str]:
    """The lines of a list as people write them: checked or not, numbered or not, with text and code inside."""
    lines: list[str] = []
    ordered, ticks = draw(st.booleans()), draw(TICKS)
    for place in range(draw(st.integers(1, 3))):
        marker = f"{place + 1}." if ordered else "-"
        below = indent + " " * (len(marker) + 1)
        lines.append(f"{indent}{marker} {ticks}{draw(PLAIN_WORDS)}")
        inside = draw(st.sampled_from([[], [], [], ["", "It says more."], ["```", "x", "```"], ["goes on"]]))
        lines += [below + line if line else line for line in inside]
        if depth < 2 and not draw(st.integers(0, 2)):
            lines += draw(plain_items(below, depth + 1))
            lines += draw(st.sampled_from([[], [], ["", f"{below}After all."]]))
        lines += draw(st.sampled_from([[], [], [""]]))
    return lines


@st.composite
def ordinary_documents(draw: st.DrawFn) -> str:
    """A file of a person who knows no language: lists among headings, rules, text, code and tables."""
    lines = ["# Laundry", ""]
    for chapter in draw(st.lists(st.sampled_from(["## Before", "## Work", "## 2. After", ""]), min_size=1, max_size=2)):
        lines += [chapter, *draw(st.sampled_from([[], [""]]))]
        for _each in range(draw(st.integers(1, 4))):
            lines += draw(st.one_of(plain_items(), LINES_AMONG))
            lines += draw(st.sampled_from([[], [""]]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return end.join(lines) + draw(st.sampled_from(["", end]))
