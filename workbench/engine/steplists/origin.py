"""What a run of a step list was begun with, and how it is had back from the journal."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.model.loader.steplist import Playbook, playbook_from_json, playbook_to_json
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

KIND = "steplist"


def digest_of_playbook(playbook: Playbook) -> str:
    """SHA-256 of the canonical JSON of *playbook*: the version that a plan is bound to."""
    return hashlib.sha256(_canonical(playbook)).hexdigest()


def origin_of(playbook: Playbook, snapshot: Snapshot | None, journal: Journal) -> dict[str, Any]:
    """What the first event says of *playbook*: its values, and the text that it was read from."""
    values = _canonical(playbook)
    text = snapshot.source.encode() if snapshot is not None else values
    return {"kind": KIND, "pb_hash": journal.keep(text), "plan_hash": journal.keep(values), "arguments": {}}


def is_listed(created: RunEvent) -> bool:
    """Whether the run that *created* begins is one of a step list."""
    return created.body.get("kind") == KIND


def playbook_of(created: RunEvent, journal: Journal) -> Playbook:
    """The step list that a run was begun with. Raises StoreFailed where it is lost."""
    return playbook_from_json(json.loads(journal.kept(created.body["plan_hash"])))


def text_of(created: RunEvent, journal: Journal) -> Snapshot:
    """The text that a run was begun with. Raises StoreFailed where it is lost."""
    return derive(SourceText.decode(journal.kept(created.body["pb_hash"])))


def _canonical(playbook: Playbook) -> bytes:
    text = json.dumps(playbook_to_json(playbook), sort_keys=True, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")
