# SPDX-License-Identifier: MIT
"""Progress of long calls: a bar of tqdm where it is installed, else a line on stderr."""
from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, Callable


class Hook:
    """What the C library calls; holds no reference to the simulation, which it would keep alive."""

    __slots__ = ("callback",)

    def __init__(self) -> None:
        self.callback: Callable[[Any], Any] | None = None

    def __call__(self, report: dict[str, Any]) -> None:
        if self.callback is not None:
            self.callback(SimpleNamespace(**report))


class _Line:
    """A line on stderr that is written over; nothing where stderr is not a terminal."""

    def __init__(self, total: float, desc: str) -> None:
        self.total, self.desc = total, desc

    def show(self, done: float, postfix: str) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            percent = 100 * done / max(self.total, 1e-9)
            sys.stderr.write(f"\r{self.desc}: {percent:3.0f} % {postfix}")
            sys.stderr.flush()

    def close(self) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\n")


class _Tqdm:
    def __init__(self, tqdm: Any, total: float, desc: str, unit: str) -> None:
        self.bar = tqdm(total=total, desc=desc, unit=unit, leave=True,
                        bar_format="{l_bar}{bar}| {n:.1f}/{total:.0f} {unit}s "
                                   "[{elapsed}<{remaining}{postfix}]")

    def show(self, done: float, postfix: str) -> None:
        self.bar.set_postfix_str(postfix, refresh=False)
        self.bar.n = done
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()


def bar(total: float, desc: str, unit: str) -> Any:
    """A progress bar with show(done, postfix) and close()."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import]
    except ImportError:
        return _Line(total, desc)
    return _Tqdm(tqdm, total, desc, unit)
