"""Programs in which nothing is judged, to be run before and after an operation: loops, branches, calls, names."""

from __future__ import annotations

from hypothesis import strategies as st

_STEPS = st.sampled_from(
    [
        "$a = $a + 1", "$b = $a * 2", "n = n + $a", "n = 1", "$a = n", 'Tell user "{$a} {$b} {n}"', "$b = Double($a)",
        'Tell user "x", then $a = 2', "$list = [$a, $b]", "$b = len($list)", "Shout($b)", "n = Double(n)",
        "$a = 0; $b = 1",
    ]
)  # fmt: skip
_CONDITIONS = st.sampled_from(
    ["$a > 1", "$a is at least 2", "$b == 2 or n > 1", "not $a", "$list is not empty", "$b is 2", "n <= $a"]
)
_LOOPS = st.sampled_from(
    [
        "Repeat 2 times", "Repeat $two times", "For each $i in $list", "For each $i in range(2)",
        "For each $j in [3, 4]", "For each $k in {'u': 1, 'v': 2}", "Repeat twice",
    ]
)  # fmt: skip
_REST = """
## Double($x)
### Steps
- $twice = $x * 2
- Return $twice

## Shout($word, times=2)
### Steps
- Repeat times times
  - Tell user "{$word}!"
"""


@st.composite
def _steps(draw: st.DrawFn, indent: str = "", *, in_loop: bool = False) -> list[str]:
    lines: list[str] = []
    for _each in range(draw(st.integers(1, 4))):
        kind = draw(st.integers(0, 9)) if len(indent) < 6 else 0
        inner = indent + "  "
        if kind < 6:
            lines.append(f"{indent}- {draw(_STEPS)}")
        elif kind < 8:
            lines += [f"{indent}- If {draw(_CONDITIONS)}", *draw(_steps(inner, in_loop=in_loop))]
            if draw(st.booleans()):
                lines += [f"{indent}- Otherwise", *draw(_steps(inner, in_loop=in_loop))]
        else:
            lines += [f"{indent}- {draw(_LOOPS)}", *draw(_steps(inner, in_loop=True))]
    if indent and not draw(st.integers(0, 5)):
        lines.append(f"{indent}- {draw(st.sampled_from(['Break', 'Continue'] if in_loop else ['Return $a']))}")
    return lines


exact_programs = st.builds(
    lambda steps, end: (
        "\n".join(
            [
                "# Desk",
                "## Main",
                "### Steps",
                "- $a = 1; $b = 2",
                "- $two = 2",
                "- n = 3",
                "- $list = [5, 6]",
                *steps,
                *end,
            ]
        )
        + _REST
    ),
    _steps(),
    st.sampled_from([["- Return n"], ["- Return $a + $b"], ['- Tell user "{$a} {n}"']]),
)
"""A whole file; its playbook ``Main`` can be run without an answer."""
