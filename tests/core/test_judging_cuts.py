"""Runs that a model judges, cut off anywhere: nothing journaled is asked again, and nothing is done twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.conformance.enforcing import step, steplist
from tests.core.engine_driver import book
from tests.core.model_cutting import Case, check_cuts, resumed, whole
from tests.core.model_driver import MODEL, data, said, wants
from tests.core.steplist_cutting import open_call
from tests.core.steplist_driver import text_of
from workbench.engine.ports import InDoubtChoice

_REACT = book(
    "", "# B\n## Main\n### Steps\n- $r = Solve()\n- Return $r\n## Solve\nFind it.\n## Look\n### Steps\n- Look\n"
)
_RAW = book("", "# B\n## Main\n### Steps\n- $r = Poem()\n- Return $r\n## Poem\nexecution_mode: raw\nA poem.\n")
_TRIGGERS = book(
    "",
    "# B\n## Main\n### Steps\n- Water the plants\n- Return 1\n"
    '## Dry\n### Triggers\n- When the plants are dry\n### Steps\n- Tell user "dry"\n',
)
_ACTS = book("- Find out $full:int\n- If it is full\n  - Clean up\n- CleanUp()\n- Return $full\n")
_LIST = text_of(steplist(step("find", "lookup", "search"), step("pay", "refund"), step("tell")))

CASES = {
    "words, fields, conditions": Case(
        book("- Water the plants\n- Extract $n:int\n- If it rains\n  - Return $n\n"),
        (said("Watered."), data(n=3), data(reason="it does", decision=True)),
    ),
    "repaired": Case(book("- Extract $n:int\n- Return $n\n"), (data(n="many"), data(n=3))),
    "tools": Case(
        _ACTS,
        (
            wants(("df", {"disk": "a"}), ("df", {"disk": "b"})),
            wants(("df", {"fail": True})),
            wants(("nothing", {})),
            data(full=91),
            data(reason="91", decision=True),
            wants(("rm", {"file": "log"})),
            said("Cleaned."),
            wants(("df", {"disk": "a"})),
            said("All is clean."),
        ),
        ("df", "rm"),
    ),
    "proposed": Case(
        book("- Extract $n:int\n- Return $n\n"),
        (data(n=3),),
        judges=replace(MODEL, is_proposing=True),
        answers='answers: [{step: "Main:01", values: {n: 4}}]',
    ),
    "handed over": Case(
        book("- Extract $n:int\n- Return $n\n"),
        (wants(("df", {"disk": "a"})), data(n=None, cannot="no letter")),
        ("df",),
        replace(MODEL, is_handing_over=True),
        'answers: [{step: "Main:01", values: {n: 4}}]',
    ),
    "without steps": Case(_REACT, (wants(("Look", {})), said("Looked."), wants(("done", {"result": 5})))),
    "raw": Case(_RAW, (said("Rain."),)),
    "triggers": Case(_TRIGGERS, (said("Watered."), data(Dry_T1=True))),
    "a list": Case(
        _LIST,
        (
            wants(("refund", {})),
            wants(("lookup", {}), ("search", {"q": 1})),
            wants(("refund", {"eur": 5})),
            said("Done."),
        ),
        ("lookup", "search", "refund"),
    ),
    "a list that is proposed": Case(
        _LIST,
        (wants(("lookup", {})), wants(("refund", {})), wants(("refund", {"eur": 5})), said("Done.")),
        ("lookup", "search", "refund"),
        replace(MODEL, is_proposing=True),
        "answers: [{values: {action: lookup, make: true}}, {values: {action: search, make: true}},"
        " {values: {action: refund, make: true}}, {values: {action: finish, result: Done}}]",
    ),
    "a list that is handed over": Case(
        _LIST,
        (
            wants(("hand_over", {"reason": "no access"})),
            wants(("search", {})),
            wants(("refund", {})),
            said("Done."),
        ),
        ("lookup", "search", "refund"),
        replace(MODEL, is_handing_over=True),
        "answers: [{values: {action: lookup, result: by hand}}]",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_run_that_is_cut_off_anywhere_comes_to_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_cuts(CASES[name], monkeypatch)


@pytest.mark.parametrize("choice", [InDoubtChoice.DONE, InDoubtChoice.SKIP])
@pytest.mark.parametrize("name", ["tools", "a list"])
def test_no_call_in_doubt_is_made_twice(name: str, choice: InDoubtChoice, monkeypatch: pytest.MonkeyPatch) -> None:
    uncut = whole(CASES[name], monkeypatch)
    open_at = [count for count in range(1, len(uncut.events)) if open_call(uncut.events[:count])]
    for count in open_at:
        _events, shop, _model = resumed(uncut, count, choice, monkeypatch)
        assert not Counter(shop.done) - Counter(uncut.done), f"cut after {count}, {uncut.events[count - 1].name}"
