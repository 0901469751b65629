"""Generated playbooks: nested lists in every style, comments everywhere, fences, tabs, line ends, strange letters."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "Do it", "$a = 1", "Ask user for $name", 'Tell user "Hi {$name}"', "If $a == 1", "Otherwise", "Return $a",
        "For each $i in [1, 2]", "While $a < 3", "Other()", "größe 🗂️ שלום", "see step 2", "終わり", "x: y",
        "End program",
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
