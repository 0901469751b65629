"""Who answers a run that is debugged: its script, and whoever sits at the console where that has no answer left."""

from __future__ import annotations

from workbench.cli.running.run import backend_for
from workbench.engine.backends.person import PersonBackend
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.judges import Judges
from workbench.engine.ports import Answer, JudgementBackend, Purpose, Request
from workbench.engine.scripts import parse_script
from workbench.errors import InputNeeded, RunFailed
from workbench.model.format import TextFormat


class ScriptThenPerson(ScriptBackend):
    """Answers from a script as long as it has an answer; a person answers the rest."""

    def __init__(self, script: str, person: PersonBackend) -> None:
        super().__init__(parse_script(script), person)
        self._one = person
        self._open: Request | None = None

    def judge(self, request: Request) -> Answer:
        """The script's answer, else the person's. Raises Cancelled."""
        try:
            return super().judge(request)
        except InputNeeded:
            pass
        except RunFailed:
            if request.purpose is not Purpose.READING:
                raise
        self._open = request
        return self._one.judge(request)

    def asks(self, request: Request) -> bool:
        """Whether the person is to answer *request*."""
        return request is self._open or super().asks(request)


def answering(script: str | None, format_: TextFormat, judges: Judges) -> JudgementBackend:
    """Who answers what none of *judges* does. Raises CannotRead where the *script* is not made for such a file."""
    person = PersonBackend()
    if script is not None and not format_.is_steplist and parse_script(script).calls is None:
        return ScriptThenPerson(script, person)
    return backend_for(script, format_, judges, person)
