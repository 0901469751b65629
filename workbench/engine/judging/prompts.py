"""The words for models that are ours: short texts in ``resources/prompts``, each with its version in its first line."""

from __future__ import annotations

from functools import cache

from workbench.resources import resource_text


@cache
def prompt(name: str) -> str:
    """The prompt *name*, without its version."""
    _version, text = resource_text(f"prompts/{name}.md").split("\n", 1)
    return text.strip()
