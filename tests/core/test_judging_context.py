"""What a model is sent: short, the stable part first, and with everything that a later step names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.core.engine_driver import book
from tests.core.model_driver import FakeModel, data, judge, said
from workbench.engine.judging.context import tokens_in
from workbench.engine.judging.names import Names
from workbench.providers.values import ModelReply, ModelRequest

_MANY = 40


class Writer(FakeModel):
    """A model that writes long texts."""

    def complete(self, request: ModelRequest, on_delta: Any) -> ModelReply:
        """A thousand words."""
        self.sent.append(request)
        return data(**dict.fromkeys((request.schema or {"properties": {}})["properties"], "word " * 1_000))


def test_a_long_run_loses_nothing_that_a_later_step_names(tmp_path: Path) -> None:
    steps = "".join(f"- Write $text_{number}:str\n" for number in range(_MANY))
    model = Writer()
    judge(f"{steps}- Return $text_0\n", tmp_path, model)
    sent = [request.system + "".join(one.text for one in request.messages) for request in model.sent]
    assert all(f"$text_{number} = " in sent[-1] for number in range(_MANY - 1))
    assert max(map(tokens_in, sent)) < 6_000


def test_what_is_shown_by_its_beginning_can_be_loaded(tmp_path: Path) -> None:
    model = Writer()
    judge("- Write $text:str\n- Read $text aloud as $poem:str\n", tmp_path, model)
    assert "load_artifact" in [tool.name for tool in model.sent[1].tools]


def test_the_stable_part_comes_first_and_is_the_same_for_all_steps(tmp_path: Path) -> None:
    model = FakeModel([said("Watered."), said("Fed.")])
    judge("- Water the plants\n- Feed the cat\n", tmp_path, model)
    assert model.sent[0].system == model.sent[1].system


def test_the_playbook_and_its_notes_are_told(tmp_path: Path) -> None:
    text = (
        "# Book\n## Main\nLooks after the house.\n### Steps\n- Water the plants\n### Notes\n- The cactus needs none.\n"
    )
    model = FakeModel([said("Watered.")])
    judge(book("", text), tmp_path, model)
    assert all(words in model.sent[0].system for words in ("Looks after the house.", "The cactus needs none."))


def test_what_a_frame_said_leaves_with_it_and_its_result_stays(tmp_path: Path) -> None:
    text = (
        '# Book\n## Main\n### Steps\n- $r = Look("plants")\n- Feed the cat\n'
        '## Look($at)\n### Steps\n- Look at {$at}\n- Return "dry"\n'
    )
    model = FakeModel([said("Some are brown."), said("Fed.")])
    judge(book("", text), tmp_path, model)
    last = model.sent[1].messages[0].text
    assert "Some are brown." not in last
    assert "Look(at=plants) returned dry (2 steps, 0 calls)" in last


def test_whoever_waits_for_this_playbook_is_told(tmp_path: Path) -> None:
    text = '# Book\n## Main\n### Steps\n- Feed the cat\n- Look("plants")\n## Look($at)\n### Steps\n- Look at {$at}\n'
    model = FakeModel([said("Fed."), said("Looked.")])
    judge(book("", text), tmp_path, model)
    assert "Called from" in model.sent[1].messages[0].text
    assert "Judged: Fed." in model.sent[1].messages[0].text


def test_a_secret_is_not_sent(tmp_path: Path) -> None:
    secret = "sk-" + "a1B2c3D4" * 5
    model = FakeModel([said("Done.")])
    judge(f'- $key = "{secret}"\n- Use $key\n', tmp_path, model)
    assert secret not in model.sent[0].messages[0].text


@given(st.lists(st.text(min_size=1, max_size=80), max_size=6))
def test_names_of_tools_are_what_every_provider_takes_and_stand_for_one_each(names: list[str]) -> None:
    made = Names(names)
    safe = [made.safe(name) for name in names]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", one) for one in safe)
    assert [made.real(one) for one in safe] == names
