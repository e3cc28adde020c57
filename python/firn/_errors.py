# SPDX-License-Identifier: MIT
"""Exceptions of firn. Each has the sentence that says what is wrong, where, and what to do."""
from __future__ import annotations

import re
from typing import NamedTuple

_HEAD = re.compile(r"^(?P<file>.*?):(?:(?P<line>\d+):(?P<column>\d+):)? "
                   r"(?P<severity>error|warning): (?P<text>.*)$")
_SOURCE = re.compile(r"^ *\d+ \| (?P<source>.*)$")
_CARET = re.compile(r"^ +\| *\^$")


class Message(NamedTuple):
    """A mistake of a scene, or a warning, with its location."""

    severity: str
    """'error' or 'warning'"""
    text: str
    """the sentence"""
    file: str
    """path, or name of the text"""
    line: int | None
    """from 1; None: not in the text, e.g. set from code"""
    column: int | None
    """from 1"""
    source: str
    """the line of the text, or ''"""

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"
        return f"{place}: {self.severity}: {self.text}"


def parse_messages(text: str) -> tuple[Message, ...]:
    """Messages from the text of the C library."""
    found: list[Message] = []
    for line in text.splitlines():
        head, source = _HEAD.match(line), _SOURCE.match(line)
        if head:
            at = head["line"]
            found.append(Message(head["severity"], head["text"], head["file"],
                                 int(at) if at else None, int(head["column"]) if at else None, ""))
        elif found and source:
            found[-1] = found[-1]._replace(source=source["source"])
        elif found and line and not _CARET.match(line):
            found[-1] = found[-1]._replace(text=f"{found[-1].text}\n{line}")
    return tuple(found)


class Error(Exception):
    """Base of all exceptions of firn.

    `messages` has the mistakes of a scene; `file`, `line` and `column` are those of the first.
    """

    messages: tuple[Message, ...] = ()

    @property
    def _first(self) -> Message | None:
        errors = [m for m in self.messages if m.severity == "error"]
        return errors[0] if errors else None

    @property
    def file(self) -> str | None:
        """File of the first mistake of a scene, or name of its text."""
        return self._first.file if self._first else None

    @property
    def line(self) -> int | None:
        """Line of the first mistake, from 1."""
        return self._first.line if self._first else None

    @property
    def column(self) -> int | None:
        """Column of the first mistake, from 1."""
        return self._first.column if self._first else None


class Refused(Error):
    """Nothing has changed: correct the input and try again."""


class ArgumentRefused(Refused, ValueError):
    """A value is out of range."""


class SceneRefused(Refused, ValueError):
    """The scene or an input file is not valid; `messages` has all mistakes."""


class NameRefused(Refused, LookupError):
    """There is no such solver, preset, scene, field, format or run."""


class BackendRefused(Refused, RuntimeError):
    """This build or machine does not have the backend or feature."""


class FileRefused(Refused, OSError):
    """A file cannot be opened, read or written."""


class DamagedFile(FileRefused):
    """The checksum or structure of a file is wrong."""


class Interrupted(Error):
    """`cancel` was called; the state is consistent, and the simulation may continue."""


class Broken(Error):
    """The simulation can only be closed."""


class OutOfMemory(Broken, MemoryError):
    """There is no memory, or not within the cap."""


class Diverged(Broken, ArithmeticError):
    """The state is not finite although steps were made smaller."""


class DeviceLost(Broken, RuntimeError):
    """The GPU failed; files that were written are good, and a run can be resumed."""


class InternalError(Broken, RuntimeError):
    """A fault of firn itself: please report it."""


_CLASSES: dict[int, type[Error]] = {
    1: ArgumentRefused, 2: SceneRefused, 3: NameRefused, 4: BackendRefused, 5: FileRefused,
    6: DamagedFile, 7: Interrupted, -1: OutOfMemory, -2: Diverged, -3: InternalError,
    -4: DeviceLost,
}


def _make(code: int, text: str, messages: str) -> Error:
    """The exception of a result of the C library, which calls this."""
    error = _CLASSES.get(code, Error)(text.rstrip("\n"))
    error.messages = parse_messages(messages)
    return error
