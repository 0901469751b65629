"""Generated playbooks of any size, with the mixture of steps that real ones have."""

from __future__ import annotations

_GROUP = """- $total{i} = $limit * {i}
- If $total{i} > 100
  - Tell user "Part {i} costs {{$total{i}}}"
  - $limit = {i}
- Ask user for $name{i}
- Otherwise write down what happened in part {i}, and who was told about it
- For each $part{i} in [1, 2, 3]
  - Check that part {i} is complete
- Wait until part {i} is done
- Note({i})
"""
STEPS_PER_GROUP = 10


def playbook_text(steps: int, first: int = 0) -> str:
    """A file with one playbook of *steps* steps, nested ones included; other *first*, other words throughout."""
    groups = "".join([_GROUP.format(i=number) for number in range(first, first + steps // STEPS_PER_GROUP)])
    return f"# Desk\n\n## Main\n### Steps\n- $limit = 3\n{groups}\n## Note($part)\n### Steps\n- Return $part\n"


def numbered_text(steps: int) -> str:
    """A file with one playbook of *steps* steps in a numbered list."""
    items = "".join([f'{number}. Tell user "Part {number}"\n' for number in range(1, steps + 1)])
    return f"# Desk\n\n## Main\n### Steps\n{items}"
