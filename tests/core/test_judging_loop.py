"""What comes next in the loop of a judged step, as a function of how far it has come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.engine.journal.model_events import ModelWish
from workbench.engine.judges import Judges, Limits
from workbench.engine.judging.asking import BudgetReached, check_budget
from workbench.engine.judging.loop import AskModel, AwaitModel, Give, GiveUp, MakeWish, is_last_turn, next_move
from workbench.engine.ports import Request, RequestKind
from workbench.engine.state.judging import Judging, LoopStage, ModelTurn, Used

_REQUEST = Request("q1", RequestKind.JUDGE, "Main:01", "Water the plants")
_WISH = ModelWish("c1", "look", {})


def loop(*turns: ModelTurn, stage: LoopStage = LoopStage.ANSWERED) -> Judging:
    """A loop that has had *turns*."""
    return Judging(_REQUEST, "s3", stage=stage, turns=turns)


def test_a_model_that_is_asked_is_waited_for_and_one_that_is_due_is_asked() -> None:
    assert next_move(loop(stage=LoopStage.ASKED), Judges(), Limits()) == AwaitModel()
    assert next_move(loop(stage=LoopStage.DUE), Judges(), Limits()) == AskModel()


def test_wishes_are_made_one_after_the_other_before_the_model_is_asked_again() -> None:
    wanting = loop(ModelTurn("", None, (_WISH, replace(_WISH, id="c2"))))
    assert next_move(wanting, Judges(), Limits()) == MakeWish(_WISH)
    after_one = wanting.came_to("dry")
    assert next_move(after_one, Judges(), Limits()) == MakeWish(replace(_WISH, id="c2"))
    assert next_move(after_one.came_to("wet"), Judges(), Limits()) == AskModel()


def test_an_answer_in_words_is_given() -> None:
    move = next_move(loop(ModelTurn("Watered.", None, ())), Judges(), Limits())
    assert move == Give({"values": {}, "text": "Watered."})


@pytest.mark.parametrize("turn", [ModelTurn(" ", None, ()), ModelTurn("Water", None, (), is_cut_off=True)])
def test_what_is_empty_or_cut_off_is_asked_for_once_more(turn: ModelTurn) -> None:
    move = next_move(loop(turn), Judges(), Limits())
    assert isinstance(move, AskModel) and move.problem
    again = loop(replace(turn, problem=move.problem), turn)
    assert isinstance(next_move(again, Judges(), Limits()), GiveUp)


@pytest.mark.parametrize(
    ("limits", "used"),
    [
        (Limits(turns=1), loop(ModelTurn("", None, (_WISH,))).came_to(1)),
        (Limits(seconds=5), replace(loop(ModelTurn("", None, (_WISH,))).came_to(1), at_ns=6_000_000_000)),
        (Limits(step_cost_usd=0.5), replace(loop(ModelTurn("", None, (_WISH,))).came_to(1), cost_usd=0.5)),
    ],
)
def test_a_step_that_has_used_what_it_may_is_given_up(limits: Limits, used: Judging) -> None:
    assert isinstance(next_move(used, Judges(), limits), GiveUp)
    assert next_move(used, Judges(), Limits()) == AskModel()


def test_a_short_limit_on_time_is_told_with_its_decimal() -> None:
    used = replace(loop(ModelTurn("", None, (_WISH,))).came_to(1), at_ns=1_500_000_000)
    move = next_move(used, Judges(), Limits(seconds=0.4))
    assert isinstance(move, GiveUp)
    assert move.reason.endswith("1.5 s (limit 0.4 s).")


def test_the_last_turn_of_a_step_is_known_before_it_is_taken() -> None:
    taken = loop(ModelTurn("", None, (_WISH,)))
    assert [is_last_turn(taken, Limits(turns=turns)) for turns in (0, 2, 3)] == [False, True, False]
    assert not is_last_turn(None, Limits(turns=1))


def test_a_limit_on_cost_stops_where_no_price_is_known() -> None:
    with pytest.raises(BudgetReached, match="price"):
        check_budget(Limits(cost_usd=1), Used(requests=1, unpriced=1), 10)
    check_budget(Limits(), Used(requests=99, unpriced=99), 10_000)
