"""Items C115 and C116 of the list for the markdown language: ids of agents and meetings."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from workbench.model.ids import HUMAN, AgentId, MeetingId, parse_agent_id, parse_id, parse_meeting_id


@pytest.mark.parametrize("text", ["agent 1234", "1234", "  agent 1234 ", "AGENT 1234"])
def test_c115_an_agent_by_its_number(text: str) -> None:
    assert parse_agent_id(text) == AgentId("1234")


@pytest.mark.parametrize("text", ["human", "user", "User", "HUMAN", " user "])
def test_c115_people_in_any_letter_case(text: str) -> None:
    assert parse_agent_id(text) == AgentId(HUMAN)


@pytest.mark.parametrize("text", ["", "   "])
def test_c115_nothing_is_no_id(text: str) -> None:
    with pytest.raises(ValueError, match="cannot be empty"):
        parse_agent_id(text)
    with pytest.raises(ValueError, match="cannot be empty"):
        parse_id(text)


def test_c115_ids_are_values() -> None:
    agent = AgentId("7")
    with pytest.raises(FrozenInstanceError):
        agent.id = "8"  # type: ignore[misc]
    assert len({agent, AgentId("7")}) == 1
    assert agent != "7"


@pytest.mark.parametrize("text", ["meeting 112", "112", " Meeting 112"])
def test_c116_a_meeting_by_its_number(text: str) -> None:
    assert parse_meeting_id(text) == MeetingId("112")


def test_c116_digits_alone_are_an_agent_and_never_equal_to_a_meeting() -> None:
    assert parse_id("112") == AgentId("112")
    assert parse_id("meeting 112") == MeetingId("112")
    assert AgentId("112") != MeetingId("112")


@pytest.mark.parametrize("found", [AgentId("112"), AgentId(HUMAN), MeetingId("112")])
def test_c116_an_id_reads_back_as_it_is_written(found: AgentId | MeetingId) -> None:
    assert parse_id(str(found)) == found
