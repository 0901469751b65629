"""The debug console: where a person answers the questions of a run, asked as the prompt of the terminal asks them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass

from workbench.cli.debug_adapter.debuggee import Debuggee
from workbench.cli.running.following import handed_over
from workbench.cli.running.prompt import ask
from workbench.engine.ports import Request
from workbench.engine.running.run import Run
from workbench.engine.state.waiting import OpenWait
from workbench.i18n import _

END_OF_MESSAGES = ":end"
"""What is typed where a run waits for messages, and there are none any more."""
NOTHING_TYPED = "."
"""What stands for an empty line: a debug console does not send any."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A text for the console."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The question was answered, or is not asked any more."""

    request: Request


Posted = Shown | Answered


class Asking:
    """A question that is open in the console. *post*: takes what is to be shown, on any thread.

    Life cycle: ``begin`` asks it on a thread of its own, where the prompt may ask several things one after the other;
    ``say`` hands it a line that was typed; it ends by itself with the answer, or by ``give_up``.
    """

    def __init__(self, run: Run, request: Request, post: Callable[[Posted], None]) -> None:
        self.request = request
        self._run = run
        self._post = post
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._ask, name="asking", daemon=True)

    def begin(self) -> None:
        """Ask."""
        self._thread.start()

    def say(self, line: str) -> None:
        """Take *line*, which was typed."""
        self._lines.put("" if line.strip() == NOTHING_TYPED else line)

    def give_up(self) -> None:
        """Ask no more."""
        self._lines.put(None)

    def show(self, text: str) -> None:
        """Let the console show *text*."""
        self._post(Shown(text))

    def read_line(self, question: str) -> str:
        """The next line that is typed. Raises EOFError where the question is given up."""
        self._post(Shown(question))
        line = self._lines.get()
        if line is None:
            raise EOFError
        return line

    def _ask(self) -> None:
        try:
            while self._run.pending is self.request:
                if handed_over(self._run, self.request, ask(self.request, self)):
                    break
                if self._run.pending is self.request:
                    self.show(_("This answer does not fit the question."))
        except EOFError:
            pass
        self._post(Answered(self.request))


class Conversation:
    """What a run and whoever sits at the console say to each other. *post*: takes what is to be heard of that."""

    def __init__(self, post: Callable[[Posted], None]) -> None:
        self._post = post
        self._asking: Asking | None = None
        self._prompted = ""
        self._has_asked = False

    @property
    def is_asking(self) -> bool:
        """Whether a question is open."""
        return self._asking is not None

    def follow(self, debuggee: Debuggee) -> None:
        """Ask what the run asks, after all has been told that led to it; say that it waits for a message."""
        run = debuggee.run
        request = run.pending
        if self._asking is not None and self._asking.request is not request:
            self.give_up()
        if request is not None and self._asking is None and run.is_asking_person:
            debuggee.take_events()
            if not self._has_asked:
                words = _("Questions are answered here, line by line; “{mark}” stands for an empty line.")
                self._post(Shown(words.format(mark=NOTHING_TYPED)))
            self._has_asked = True
            self._asking = Asking(run, request, self._post)
            self._asking.begin()
        if run.is_listening:
            debuggee.take_events()
            self._prompt(debuggee.told.fold.waiting.wait)

    def _prompt(self, wait: OpenWait | None) -> None:
        """Say once that a message is waited for."""
        if wait is not None and wait.span != self._prompted:
            self._prompted = wait.span
            words = _("The run waits for a message. Type it; {end} ends the conversation.")
            self._post(Shown(words.format(end=END_OF_MESSAGES)))

    def prompt_again(self) -> None:
        """Say it once more."""
        self._prompted = ""

    def say(self, run: Run, text: str) -> bool:
        """Whether *run* waits for *text*: an answer, or a message."""
        if self._asking is not None:
            self._asking.say(text)
            return True
        if not run.is_listening:
            return False
        if text.strip() == END_OF_MESSAGES:
            run.controls.mailbox.end()
        else:
            run.controls.mailbox.send(text)
        return True

    def end(self, request: Request) -> None:
        """The question *request* is not open any more."""
        if self._asking is not None and self._asking.request is request:
            self._asking = None

    def give_up(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.give_up()
            self._asking = None
