"""The ways the world can fail, in words a person can act on.

Three kinds of trouble are kept apart: a command that cannot be done now returns a
``Refusal``; broken playbook text is a ``Diagnostic``; only a failing world (disk, child
process, store, network) raises, always as a ``WorkbenchError``.
"""


class WorkbenchError(Exception):
    """Something outside the program failed; ``str()`` is what the person reads.

    The text says what happened, what it means for the work, and what to do.
    """


class CannotRead(WorkbenchError):
    """A file could not be read, or is not text we can open."""


class CannotSave(WorkbenchError):
    """A file could not be written; what was there before is still there."""


class ChangedOnDisk(CannotSave):
    """The bytes on disk are no longer those that were loaded or last saved."""


class NotTrusted(WorkbenchError):
    """The file holds Python that nobody has allowed to run yet."""


class InputNeeded(WorkbenchError):
    """A run needs an answer and nobody is there to give one."""


class RunFailed(WorkbenchError):
    """A run, or one step of it, could not go on."""


class StoreFailed(WorkbenchError):
    """A store (journal, patterns) is damaged, locked, read-only, newer or full."""


class StoreBusy(StoreFailed):
    """Another program holds a store at the moment: what was wanted of it may be possible a little later."""


class ModelFailed(WorkbenchError):
    """A model could not be reached, refused, or did not answer in a way that can be used."""


class Cancelled(Exception):
    """A wait was given up because what it was for is being stopped; no failure, and never shown."""
