"""``Return valid``, ``Set $status to done``: a bare word that no step makes a variable is the word that it is."""

from __future__ import annotations

import re

from workbench.model.meaning import Assign, Judge, Return, actions_of
from workbench.model.program import Agent, Playbook, Step
from workbench.model.sentences.values import names_in_word
from workbench.model.step_facts import facts_of_run, step_runs

_GIVEN = frozenset({"agent", "self", "call", "timestamp", "meeting", "message", "startup_message"})


def is_word(name: str, agent: Agent, playbook: Playbook) -> bool:
    """True where nothing in *agent* gives *name* a value, in *playbook*, which may be none of its own, or elsewhere."""
    others = {*_GIVEN, *(one.name for one in playbook.parameters), *(one.name for one in agent.functions)}
    if name in others:
        return False
    if any(re.search(rf"\b{re.escape(name)}\b", code) for code in agent.python):
        return False
    given = (one.name for each in agent.playbooks for one in each.parameters)
    sets = (fact.sets for one in (playbook, *agent.playbooks) for fact in map(facts_of_run, step_runs(one)))
    return name not in given and not any(name in names or f"${name}" in names for names in sets)


def is_in_word(name: str, step: Step, agent: Agent, playbook: Playbook) -> bool:
    """True where *name* is a word, or a part of one, that *step* returns, or sets a variable to in a sentence."""
    actions = [*actions_of(step.meaning)]
    actions += [outcome for one in actions if isinstance(one, Judge) for outcome in one.outcomes]
    said = [one.value for one in actions if isinstance(one, Return) or (isinstance(one, Assign) and one.words)]
    words = [names for names in map(names_in_word, said) if name in names]
    return any(all(is_word(each, agent, playbook) for each in names) for names in words)
