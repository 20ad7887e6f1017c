"""The errors that a person can act on.

    SearChainError
    ├── UsageError            wrong use: exit status 2
    ├── SetupError            the machine lacks something (space, a package, a free port)
    ├── ModelError            the language model's service
    │   ├── MissingKey · WrongKey · UnknownModel · Unreachable · ModelTimeout
    │   └── ContextTooLong · RateLimited · ModelServerError
    ├── RetrievalError        the passage index or a remote searcher
    │   └── IndexNotFound · IndexMismatch · EmptyCorpus · RetrieverUnreachable
    ├── ReaderError           the Reader's model
    ├── DocumentRefused       a file of one's own that cannot be read
    ├── SendingRefused        passages of one's own that may not be sent to a model elsewhere
    ├── ProofUnreadable       another kind of file than a proof, or a newer format
    └── StorageError          the database
        └── DatabaseReadOnly · DatabaseLocked · DiskFull · NotADatabase · NotFound

    Cancelled                 somebody pressed stop: no error, and no SearChainError

A message says what happened, to what, and what to do, in one line; it is shown to the user as it is.
Faults of the model's *text* are not exceptions: they are ``ModelFault`` events, and the run goes on.
"""


class SearChainError(Exception):
    """Base of all errors whose message is written for the user.

    ``hint`` is what a person at the shell may do besides, such as a command; nobody else is shown it.
    """

    exit_status = 1

    def __init__(self, message: str = "", *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def at_the_shell(self) -> str:
        """The message with the hint."""
        return "; ".join(filter(None, (str(self), self.hint)))


class UsageError(SearChainError):
    exit_status = 2


class SetupError(SearChainError):
    pass


class ModelError(SearChainError):
    pass


class MissingKey(ModelError):
    pass


class WrongKey(ModelError):
    pass


class UnknownModel(ModelError):
    pass


class Unreachable(ModelError):
    pass


class ModelTimeout(ModelError):
    pass


class ContextTooLong(ModelError):
    pass


class CannotSample(ModelError):
    """The server accepts no temperature or no seed, so samples would all be equal or could not be repeated."""


class RateLimited(ModelError):
    pass


class ModelServerError(ModelError):
    pass


class RetrievalError(SearChainError):
    pass


class IndexNotFound(RetrievalError):
    """A name that no index has."""

    exit_status = 2


class IndexMismatch(RetrievalError):
    pass


class EmptyCorpus(RetrievalError):
    pass


class RetrieverUnreachable(RetrievalError):
    pass


class ReaderError(SearChainError):
    pass


class DocumentRefused(SearChainError):
    """A file that was not read; the message is ``reason``.

    Args:
        state: ``no_text``, ``encrypted``, ``too_large`` or ``failed``.
        reason: a sentence for the person who gave the file.
    """

    def __init__(self, state: str, reason: str) -> None:
        super().__init__(reason)
        self.state, self.reason = state, reason


class SendingRefused(SearChainError):
    """A run that would send passages of a collection to a model elsewhere, which the collection does not allow."""


class ProofUnreadable(SearChainError):
    """A file that cannot be read as a proof."""


class StorageError(SearChainError):
    pass


class DatabaseReadOnly(StorageError):
    pass


class DatabaseLocked(StorageError):
    """Another program writes for longer than a write waits."""


class DiskFull(StorageError):
    pass


class NotADatabase(StorageError):
    pass


class NotFound(StorageError):
    """A conversation or turn that does not exist, or that the asker may not see."""

    exit_status = 2


class Cancelled(Exception):
    """The run's cancel token was set."""
