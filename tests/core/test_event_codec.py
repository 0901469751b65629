"""What events say is written back as it was read: every journal is chained by hashes."""

from __future__ import annotations

import dataclasses
import enum
import json
import shutil
import sqlite3
import types
import typing
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.earlier import DATA
from workbench.engine.expressions.data import canonical
from workbench.engine.journal import codec
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.codec import decoded, encoded, name_of
from workbench.engine.journal.payload import NOTHING, EventPayload, UnknownEvent
from workbench.engine.journal.run_events import RunCreated, StepEntered, StepListStart, Told, VariableSet

STORES = sorted(path.parent for path in DATA.glob("*/runs.sqlite"))
_KINDS: Mapping[str, type[EventPayload]] = codec._TYPES
_SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3)
JSON = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
)
_WORDS = st.sampled_from(sorted({*codec._KEYS.values(), "pc", "gives", "kept", "name", "text", "step", "value"}))


def _values(hint: Any) -> st.SearchStrategy[Any]:
    """Values that a field with the type *hint* may have."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return JSON
    if origin is types.UnionType:
        return st.none() | _values(inner[0])
    if origin is Mapping:
        return st.dictionaries(st.text(max_size=3), JSON, max_size=2)
    if origin is tuple and inner[-1] is ...:
        return st.lists(_values(inner[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(_values, inner))
    if issubclass(hint, enum.Enum):
        return st.sampled_from(list(hint))
    if dataclasses.is_dataclass(hint):
        return _instances(hint)
    return {str: st.text(max_size=3), int: st.integers(-9, 9), bool: st.booleans(), float: st.floats(-9, 9)}[hint]


def _instances(kind: type) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(kind)
    fields = [each.name for each in dataclasses.fields(kind) if each.name != "kept"]
    return st.builds(kind, **{name: _values(hints[name]) for name in fields})


def _bodies(kind: type) -> st.SearchStrategy[dict[str, Any]]:
    """Bodies near to those of *kind*: some fields missing, some with another value, some that nobody knows."""
    keys = [codec._KEYS.get(each.name, each.name) for each in dataclasses.fields(kind)]
    return st.dictionaries(st.sampled_from(keys) | _WORDS | st.text(max_size=3), JSON, max_size=5)


@pytest.mark.parametrize("name", _KINDS)
@settings(max_examples=examples(10))
@given(data=st.data())
def test_every_payload_comes_back_from_its_body(name: str, data: st.DataObject) -> None:
    payload = data.draw(_instances(_KINDS[name]))
    body = encoded(payload)
    again = decoded(name, body)
    assert canonical(encoded(again)) == canonical(body)
    assert dataclasses.replace(again, kept=None) == payload
    assert (name_of(payload), name_of(again)) == (name, name)


@pytest.mark.parametrize("name", _KINDS)
@settings(max_examples=examples(10))
@given(data=st.data())
def test_whatever_a_body_says_it_is_written_back_unchanged(name: str, data: st.DataObject) -> None:
    odd = data.draw(_bodies(_KINDS[name]))
    for body in (odd, {**encoded(data.draw(_instances(_KINDS[name]))), **odd}):
        assert canonical(encoded(decoded(name, body))) == canonical(body)


@given(st.text(max_size=5), st.dictionaries(st.text(max_size=3), JSON, max_size=3))
def test_an_event_of_another_version_keeps_its_name_and_body(name: str, body: dict[str, Any]) -> None:
    payload = decoded(f"{name}?", body)
    assert isinstance(payload, UnknownEvent)
    assert (name_of(payload), encoded(payload)) == (f"{name}?", body)


@pytest.mark.parametrize("store", STORES, ids=lambda store: store.name)
def test_every_event_that_an_earlier_version_wrote_is_known_and_written_back_unchanged(
    store: Path, tmp_path: Path
) -> None:
    connection = sqlite3.connect(Path(shutil.copytree(store, tmp_path / "copy")) / "runs.sqlite")
    blobs = {name: zlib.decompress(data).decode() for name, data in connection.execute("SELECT * FROM blob")}
    rows = connection.execute("SELECT type, body, blob FROM event").fetchall()
    connection.close()
    assert rows
    for name, inline, blob in rows:
        body = blobs[blob] if blob else inline
        payload = decoded(name, json.loads(body))
        assert name in _KINDS
        assert canonical(encoded(payload)) == body
        assert (payload.kept is None) or payload.kept.get("target") == "", "questions to a person said so too"


def test_what_is_written_is_plain_json() -> None:
    assert encoded(VariableSet("x", Scope.STATE, None, [1], pc=3)) == {
        "name": "x",
        "scope": "state",
        "old": None,
        "new": [1],
        "pc": 3,
    }
    assert encoded(StepEntered("Go")) == {"text": "Go"}
    assert encoded(Told("hi", gives=None)) == {"text": "hi", "gives": None}
    start = RunCreated("P", "", "hash", "", {}, steplist=StepListStart("plan", blocks=True))
    assert encoded(start) == {
        "playbook": "P",
        "path": "",
        "pb_hash": "hash",
        "script": "",
        "arguments": {},
        "kind": "steplist",
        "plan_hash": "plan",
        "blocks": True,
    }


def test_what_is_missing_has_its_default() -> None:
    payload = decoded("say.told", {"later": 1})
    assert payload == Told("", kept={"later": 1})
    assert isinstance(payload, Told)
    assert payload.gives is NOTHING
    assert decoded("var.set", {"scope": "world"}) == VariableSet("", Scope.LOCAL, None, None, kept={"scope": "world"})
