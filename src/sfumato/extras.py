"""Optional packages: which one is missing, and the command that brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ParameterError, SfumatoError

if TYPE_CHECKING:
    from types import TracebackType


class Needs:
    """Around the import of optional packages: a missing one is told with the whole command that installs it.

    Args:
        extra: the extra of Sfumato that brings them, as `pyproject.toml` names it.
        what: the sentence that says what needs which package.
        error: the class of the caller's errors.
        otherwise: another way out, after the command.

    Raises:
        SfumatoError: of the given class. Remedy: the command.

    Example:
        >>> with Needs("excel", "Excel files need python-calamine."):
        ...     import no_such_package
        Traceback (most recent call last):
        sfumato.errors.ParameterError: Excel files need python-calamine. Remedy: pip install "sfumato[excel]".
    """

    __slots__ = ("_error", "_extra", "_otherwise", "_what")

    def __init__(self, extra: str, what: str, error: type[SfumatoError] = ParameterError, otherwise: str = "") -> None:
        self._extra, self._what, self._error, self._otherwise = extra, what, error, otherwise

    def __enter__(self) -> None:
        """Nothing yet."""

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """A missing package becomes an error of ours; all else passes."""
        if isinstance(raised, ImportError):
            raise self._error(self._what, f'pip install "sfumato[{self._extra}]"{self._otherwise}.') from None
