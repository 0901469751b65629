"""Mocks: tools that a run does not call, with what stands in the place of their results, also as a person writes them.

``refund={"id": 7}`` gives that, ``refund=!The bank is closed`` fails with that message. What is no JSON is text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from workbench.engine.expressions.data import as_data
from workbench.engine.journal.instead import MockedCall
from workbench.errors import WorkbenchError
from workbench.i18n import _


class NoMock(WorkbenchError):
    """A text is no mock; the message says why."""


@dataclass(frozen=True, slots=True)
class Mock:
    """Calls of *tool* give *value*, which is JSON data, or fail with *failure*, and are not made."""

    tool: str
    value: Any = None
    failure: str = ""

    def __str__(self) -> str:
        """The whole of it, as it is written."""
        return f"{self.tool} = {written_outcome(self.value, self.failure)}"

    def call(self, by: str) -> MockedCall:
        """What is journaled of a call that is mocked by the person *by*."""
        return MockedCall(self.value, self.failure, by)


Mocks = tuple[Mock, ...]


def parse_mock(text: str) -> Mock:
    """The mock that *text* writes. Raises NoMock."""
    tool, equals, outcome = text.partition("=")
    tool = tool.strip()
    if not equals or not tool:
        message = _("“{text}” is no mock. Write TOOL=VALUE, or TOOL=!MESSAGE for a call that fails.")
        raise NoMock(message.format(text=text))
    return Mock(tool, *parse_outcome(outcome))


def parse_outcome(text: str) -> tuple[Any, str]:
    """The value that *text* writes, and the message of a failure, empty where it is none."""
    text = text.strip()
    if text.startswith("!"):
        return None, text[1:].strip() or _("failed")
    try:
        return as_data(json.loads(text)), ""
    except (ValueError, RecursionError):  # NotData too: it is a text then
        return text, ""


def written_outcome(value: Any, failure: str) -> str:
    """What ``parse_outcome`` reads as *value*, or as *failure*."""
    return f"!{failure}" if failure else json.dumps(value, ensure_ascii=False)


class Mocking:
    """The mocks of one run as they are now; its thread reads them, and any thread may replace them."""

    def __init__(self, mocks: Iterable[Mock] = ()) -> None:
        self.mocks: Mocks = tuple({each.tool: each for each in mocks}.values())

    def of(self, tool: str) -> Mock | None:
        """What stands in the place of calls of *tool*; None: they are made."""
        return next((each for each in self.mocks if each.tool == tool), None)

    def set(self, mock: Mock) -> None:
        """From now on calls of its tool are not made."""
        self.mocks = (*(each for each in self.mocks if each.tool != mock.tool), mock)

    def remove(self, tool: str) -> bool:
        """From now on calls of *tool* are made; whether they were not."""
        left = tuple(each for each in self.mocks if each.tool != tool)
        is_removed, self.mocks = left != self.mocks, left
        return is_removed
