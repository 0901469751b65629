"""What Python knows of its agent: ``self``, ``$`` variables, ``agents``; under whose rights it calls; exceptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import Played, begin, book, finished, play, wait_for
from workbench.engine.backends.person import PersonBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.state.fold import fold


def _played(code: str, steps: str, folder: Path, after: str = "", script: str = "") -> Played:
    text = f"# Clerk\n```python\n{code}```\n## Main\n### Steps\n{steps}{after}"
    played = play(book("", text), folder, script)
    assert fold(played.events) == played.state
    return played


_READS = [
    ("self.state.n", 4),
    ("agent.state.n", 4),
    ('self.state["n"]', 4),
    ('self.state.get("n")', 4),
    ('self.state.get("m", 7)', 7),
    ('getattr(self.state, "m", None)', None),
    ('"n" in self.state', True),
    ('"m" in self.state', False),
    ("sorted(self.state)", ["items", "n", "order"]),
    ("len(self.state)", 3),
    ("self.state.order.total", 9),
    ('self.state.order["total"]', 9),
    ("self.state.items", [1, 2]),
    ("dict(self.state)", {"n": 4, "order": {"total": 9}, "items": [1, 2]}),
    ("self.klass", "Clerk"),
    ("self.id", "1000"),
    ("str(agent)", "Clerk"),
    ("[each.klass for each in agents.all]", ["Clerk"]),
    ('agents.by_klass("Clerk")[0] == self', True),
    ('agents.by_id["1000"].klass', "Clerk"),
    ("await self.Double(4)", 8),
    ("await self.other()", 5),
]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What each expression gives in Python."""
    code = f"@playbook\nasync def seen():\n    return [{', '.join(each for each, _value in _READS)}]\n\n"
    code += "@playbook\ndef other():\n    return 5\n"
    steps = '- $n = 4\n- $order = {"total": 9}\n- $items = [1, 2]\n- $r = seen()\n- Return $r\n'
    played = _played(code, steps, tmp_path_factory.mktemp("reads"), "## Double($x)\n### Steps\n- Return $x * 2\n")
    assert played.run.result is not None, played.state.error
    return dict(zip((each for each, _value in _READS), played.run.result, strict=True))


@pytest.mark.parametrize(("expression", "value"), _READS)
def test_python_sees_its_agent(expression: str, value: object, seen: dict[str, object]) -> None:
    assert seen[expression] == value


_WRITES = [
    ("self.state.n = 5", {"n": 5}),
    ('self.state["n"] = 5', {"n": 5}),
    ("agent.state.n += 1", {"n": 5}),
    ("self.state.update(n=6, m=7)", {"n": 6, "m": 7}),
    ("self.state.list.append(3)", {"n": 4, "list": [1, 2, 3]}),
    ('self.state.order.lines[0]["price"] = 8', {"n": 4, "order": {"lines": [{"price": 8}]}}),
    ("self.state.order.lines[0].price = 8", {"n": 4, "order": {"lines": [{"price": 8}]}}),
    ("xs = [1]; self.state.xs = xs; xs.append(2)", {"n": 4, "xs": [1, 2]}),
    ("self.state.when = __import__('datetime').date(2026, 1, 2)", {"n": 4, "when": "2026-01-02"}),
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """The variables after each statement in Python, which finds the same ones each time."""
    code = "".join(f"@playbook\nasync def sets{at}():\n    {each}\n\n" for at, (each, _) in enumerate(_WRITES))
    code += "@playbook\nasync def known():\n    return dict(self.state)\n"
    begin = '- $n = 4\n- $list = [1, 2]\n- $order = {"lines": [{"price": 1}]}\n'
    steps = "".join(f"{begin}- sets{at}()\n- k{at} = known()\n" for at in range(len(_WRITES)))
    steps += f"- Return [{', '.join(f'k{at}' for at in range(len(_WRITES)))}]\n"
    played = _played(code, steps, tmp_path_factory.mktemp("writes"))
    assert played.run.result is not None, played.state.error
    return list(played.run.result)


@pytest.mark.parametrize(("statement", "expected"), _WRITES)
def test_python_sets_variables_of_its_agent(
    statement: str, expected: dict[str, object], written: list[dict[str, object]]
) -> None:
    known = written[[each for each, _ in _WRITES].index(statement)]
    assert {name: known[name] for name in expected} == expected


def test_what_python_sets_is_journaled_in_its_order_within_the_call(tmp_path: Path) -> None:
    code = (
        "@playbook\nasync def sets():\n    self.state.a = 1\n    await Say('user', 'between')\n"
        "    self.state.a = 2\n    self.state.b = self.state.a + 1\n"
    )
    played = _played(code, "- sets()\n- Return [$a, $b]\n", tmp_path)
    names = [
        event.name for event in played.events if event.name in {"tool.call", "var.set", "say.told", "effect.result"}
    ]
    assert names == ["tool.call", "var.set", "say.told", "var.set", "var.set", "effect.result"]
    call = next(event for event in played.events if event.name == "tool.call")
    assert {event.span for event in played.events if event.name == "var.set"} == {call.span}
    assert played.run.result == [2, 3]


_REFUSED = [
    ("self.state.n = object()", "the variable $n cannot hold a value of type object"),
    ("self.state.f = print", "the variable $f cannot hold a value of type builtin_function_or_method"),
    ("self.state.list.append(object()); len(self.state)", "the variable $list cannot hold a value of type object"),
    ("self.state['two words'] = 1", "“two words” cannot be the name of a variable"),
    ("self.state.n = float('nan')", "not JSON compliant"),
    ("del self.state.n", "n cannot be deleted or replaced"),
    ("self.state = {}", "state cannot be deleted or replaced"),
    ("self.state.m", "the variable $m is not set"),
    ("self.state['m']", "the variable $m is not set"),
    ("self.Nothing()", "Clerk offers nothing called Nothing"),
    ("Tax.state", "only Tax itself sees its variables"),
]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What Python is told at each statement that cannot be done, which changes nothing."""
    code = "".join(
        f"@playbook\ndef sets{at}():\n    Tax = agents.by_klass['Tax'][0]\n    {each}\n\n"
        for at, (each, _) in enumerate(_REFUSED)
    )
    code += (
        "@playbook\nasync def told():\n    found = []\n"
        f"    for each in [{', '.join(f'sets{at}' for at in range(len(_REFUSED)))}]:\n"
        "        try:\n            found.append(str(each()))\n"
        "        except Exception as error:\n            found.append(str(error))\n"
        "            self.state.list = [1]\n    return found\n"
    )
    steps = "- $n = 4\n- $list = [1]\n- $r = told()\n- Return $r\n"
    played = _played(code, steps, tmp_path_factory.mktemp("refused"), "# Tax\n## Rate\n### Steps\n- Return 1\n")
    assert played.run.result is not None, played.state.error
    known = played.state.agents["Clerk"]
    assert (known["n"], known["list"], sorted(known)) == (4, [1], ["list", "n", "r"])
    return list(played.run.result)


@pytest.mark.parametrize(("statement", "words"), _REFUSED)
def test_what_cannot_be_done_with_variables_is_said(statement: str, words: str, refused: list[str]) -> None:
    assert words in refused[[each for each, _ in _REFUSED].index(statement)]


def test_a_value_that_becomes_no_data_fails_the_call_and_stays_as_it_was(tmp_path: Path) -> None:
    code = "@playbook\ndef sets():\n    self.state.list.append(object())\n"
    played = _played(code, "- $list = [1]\n- sets()\n", tmp_path)
    assert "the variable $list cannot hold a value of type object" in played.state.error
    assert played.state.agents["Clerk"]["list"] == [1]


def test_a_value_that_another_playbook_has_replaced_is_not_overwritten(tmp_path: Path) -> None:
    code = "@playbook\nasync def sets():\n    old = self.state.list\n    await Replace()\n    old.append(3)\n"
    played = _played(code, "- $list = [1]\n- sets()\n", tmp_path, "## Replace\n### Steps\n- $list = [9]\n")
    assert "the variable $list was changed by another playbook" in played.state.error
    assert played.state.agents["Clerk"]["list"] == [9]


def test_a_variable_that_python_sets_lets_a_trigger_fire(tmp_path: Path) -> None:
    code = "@playbook\ndef sets():\n    self.state.n = 9\n"
    after = '## Alarm\n### Triggers\n- When $n > 5\n### Steps\n- Say("n is {$n}")\n'
    assert _played(code, "- $n = 4\n- sets()\n- Return 1\n", tmp_path, after).told() == ["n is 9"]


def test_there_is_no_state_before_a_function_is_called(tmp_path: Path) -> None:
    code = "n = self.state.n\n\n@playbook\ndef sets():\n    return n\n"
    assert "only there while a function is called" in _played(code, "- sets()\n", tmp_path).state.error


def test_python_ends_the_program(tmp_path: Path) -> None:
    code = "@playbook\nasync def ends():\n    await Say('user', 'bye')\n    await EndProgram()\n    await Say('no')\n"
    played = _played(code, "- ends()\n- Say('never')\n", tmp_path)
    assert (played.told(), played.state.status.value) == (["bye"], "completed"), played.state.error


_VAULT = (
    "# Clerk\n## Main\n### Steps\n- $got = Vault.Open(4)\n- Return $got\n"
    "# Vault\n```python\n@playbook(public=True)\nasync def Open(n):\n    self.state.opened = n\n"
    "    return [await Secret(n), await hidden(), self.klass]\n\n"
    "@playbook\nasync def hidden():\n    return self.state.opened\n```\n"
    "## Secret($n)\n### Steps\n- $inside = $n\n- Return $n * 10\n"
)


def test_public_python_of_another_agent_acts_as_that_agent(tmp_path: Path) -> None:
    played = play(book("", _VAULT), tmp_path)
    assert played.run.result == [40, 4, "Vault"], played.state.error
    assert played.state.agents == {"Clerk": {"got": [40, 4, "Vault"]}, "Vault": {"opened": 4, "n": 4, "inside": 4}}
    assert fold(played.events) == played.state


def test_python_of_an_agent_made_in_the_run_acts_as_that_one(tmp_path: Path) -> None:
    steps = '- $a = CreateAgent("Vault", n=1)\n- $b = CreateAgent("Vault", n=2)\n- $got = $b.Open(4)\n- Return $got\n'
    played = play(book("", _VAULT.replace("- $got = Vault.Open(4)\n- Return $got\n", steps)), tmp_path)
    assert played.run.result == [40, 4, "Vault"], played.state.error
    assert (played.state.agents["Vault:1003"]["opened"], played.state.agents["Vault:1002"]) == (4, {"n": 1})


def test_what_is_private_stays_so_for_the_caller(tmp_path: Path) -> None:
    played = play(book("", _VAULT.replace("Vault.Open(4)", "Vault.hidden()")), tmp_path)
    assert "hidden of Vault is not public, so Clerk cannot call it" in played.state.error


_BOOM = (
    "class Broken(Exception):\n    pass\n\n"
    "@playbook\nasync def boom(n=0):\n    raise ValueError('no stock')\n\n"
    "@playbook\nasync def own():\n    raise Broken('own error')\n\n"
)
_AFTER = "## Split\n### Steps\n- $x = 1 / 0\n- Return $x\n## Around\n### Steps\n- $y = Split()\n- Return $y\n"


_CAUGHT = [
    ("await boom()", "ValueError", "no stock"),
    ("await own()", "Broken", "own error"),
    ("await Split()", "Exception", "Split:01 (line 74) failed: Division by zero"),
    ("await Around()", "RuntimeError", "Split:01 (line 74) failed: Division by zero"),
    ("await Split(1, 2)", "RuntimeError", "given too many values"),
    ("await LoadArtifact('none')", "Exception", "there is no artifact “none”"),
]


@pytest.fixture(scope="module")
def caught(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The exceptions that Python catches, each two times: the second call is as good as the first."""
    code = _BOOM + "".join(
        f"@playbook\nasync def catches{at}():\n    try:\n        {call}\n"
        f"    except {kind} as error:\n        return str(error)\n\n"
        for at, (call, kind, _) in enumerate(_CAUGHT)
    )
    steps = "".join(f"- a{at} = catches{at}()\n- b{at} = catches{at}()\n" for at in range(len(_CAUGHT)))
    steps += f"- Return [{', '.join(f'[a{at}, b{at}]' for at in range(len(_CAUGHT)))}]\n"
    played = _played(code, steps, tmp_path_factory.mktemp("caught"), _AFTER)
    assert played.run.result is not None, played.state.error
    assert all(first == second for first, second in played.run.result)
    return [first for first, _second in played.run.result]


@pytest.mark.parametrize(("call", "kind", "words"), _CAUGHT)
def test_python_catches_what_fails_within_it(call: str, kind: str, words: str, caught: list[str]) -> None:
    assert words in caught[[each for each, _, _ in _CAUGHT].index(call)], kind


def test_python_goes_on_after_an_exception(tmp_path: Path) -> None:
    code = (
        "import asyncio\n\n@playbook\nasync def goes_on():\n"
        "    first = await asyncio.gather(Split(), Fine(1), return_exceptions=True)\n"
        "    try:\n        await Split()\n    except Exception:\n        self.state.caught = True\n"
        "    return [isinstance(first[0], Exception), first[1], await Fine(2)]\n"
    )
    after = _AFTER + "## Fine($n)\n### Steps\n- Return $n\n"
    played = _played(code, "- $r = goes_on()\n- Return [$r, $caught]\n", tmp_path, after)
    assert played.run.result == [[True, 1, 2], True], played.state.error


def test_a_failure_that_nobody_catches_reaches_the_step_that_called(tmp_path: Path) -> None:
    code = "@playbook\nasync def outer():\n    return await inner()\n\n"
    code += "@playbook\nasync def inner():\n    return await Split()\n"
    played = _played(code, "- $r = outer()\n", tmp_path, _AFTER)
    assert played.state.error == (
        "Main:01 (line 13) failed: outer failed: Split:01 (line 16) failed: "
        "Division by zero (at position 1 of “1 / 0”)."
    )


def test_when_it_fails_answers_a_failure_that_python_does_not_catch(tmp_path: Path) -> None:
    code = "@playbook\nasync def outer():\n    return await Split()\n"
    after = _AFTER + "## Instead\n### Triggers\n- When outer fails\n### Steps\n- Return 5\n"
    played = _played(code, "- $r = outer()\n- Return $r\n", tmp_path, after)
    assert played.run.result == 5, played.state.error


def test_when_it_fails_answers_in_the_place_of_what_python_called(tmp_path: Path) -> None:
    code = "@playbook\nasync def outer():\n    return await Split() + await Split()\n"
    after = _AFTER + "## Instead\n### Triggers\n- When Split fails\n### Steps\n- Return 5\n"
    played = _played(code, "- $r = outer()\n- Return $r\n", tmp_path, after)
    assert played.run.result == 10, played.state.error


def test_a_failure_of_another_agent_reaches_python_with_its_message(tmp_path: Path) -> None:
    code = (
        "@playbook\nasync def asks():\n    try:\n        await Vault.Open(1)\n"
        "    except Exception as error:\n        return str(error)\n"
    )
    vault = "# Vault\n```python\n@playbook(public=True)\nasync def Open(n):\n    raise ValueError('it is shut')\n```\n"
    played = _played(code, "- $r = asks()\n- Return $r\n", tmp_path, vault)
    assert "Open failed: ValueError: it is shut" in str(played.run.result), played.state.error


def test_python_that_only_looks_at_its_variables_can_be_stopped(tmp_path: Path) -> None:
    code = "@playbook\ndef looks():\n    print('begun', flush=True)\n    while self.state.n:\n        pass\n"
    journal = Journal(tmp_path / "runs.sqlite")
    text = f"# B\n```python\n{code}```\n## Main\n### Steps\n- $n = 1\n- looks()\n"
    run = begin(book("", text), journal, PersonBackend())
    wait_for(run, "tool.output")
    run.stop()
    assert finished(run, journal).state.status is RunStatus.CANCELLED


def test_a_program_of_nothing_but_python_talks_keeps_and_ends(tmp_path: Path) -> None:
    code = (
        '@playbook(triggers=["At the beginning"])\nasync def Main():\n    await Say("user", "What is your name?")\n'
        '    agent.state.messages = await WaitForMessage("user")\n'
        '    await Say("user", f"Hello {agent.state.messages[0].content}, {await GetSecret()}")\n'
        "    await EndProgram()\n\n"
        '@playbook\nasync def GetSecret():\n    return "the code is 7"\n'
    )
    played = play(book("", f"# Python only\n```python\n{code}```\n"), tmp_path, "answers: [{text: Ada}]")
    assert played.told() == ["What is your name?", "Hello Ada, the code is 7"], played.state.error
    assert played.state.agents["PythonOnly"]["messages"] == [{"from": "user", "text": "Ada"}]
