# SPDX-License-Identifier: MIT
"""Height fields of the snow, computed once or kept."""
from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from . import _firn
else:
    from . import _library as _firn


def axes_of(raw: dict[str, Any]) -> tuple[Any, Any]:
    """Coordinates x and z of the samples."""
    import numpy as np
    return (np.linspace(raw["x"], raw["x"] + raw["width"], raw["columns"]),
            np.linspace(raw["z"], raw["z"] + raw["depth"], raw["rows"]))


def height_arrays(raw: dict[str, Any]) -> SimpleNamespace:
    """A height field with its axes."""
    import numpy as np
    heights = np.frombuffer(raw["heights"], dtype=np.float32).reshape(raw["rows"], raw["columns"])
    x, z = axes_of(raw)
    return SimpleNamespace(heights=heights, x=x, z=z)


class Heights:
    """A height field that is kept, for terrain: an update computes only what has changed.

    kept = sim.keep_heights(columns=512, rows=512, tolerance=0.002)
    changed = kept.update()             # slices of rows and columns; None: nothing
    if changed is not None:
        terrain[changed] = kept.heights[changed]
    """

    heights: Any
    """(rows, columns) [m], your own array: steps do not change it, updates do."""
    x: Any
    """Coordinates of the columns [m]."""
    z: Any
    """Coordinates of the rows [m]."""

    def __init__(self, source: Callable[[], Any], keys: dict[str, Any]) -> None:
        import numpy as np
        self._source = source
        self._core = _firn.Heights(source(), keys)
        raw = self._core.rectangle()
        self.x, self.z = axes_of(raw)
        self.heights = np.full((raw["rows"], raw["columns"]), keys.get("empty", 0), np.float32)
        self.update()

    def update(self, frame: Any = None) -> tuple[slice, slice] | None:
        """Bring `heights` to the current state of the simulation, or to a frame of a run.

        Returns slices of rows and columns that contain all samples that have changed; None: none
        has. With a `tolerance`, snow at rest, which still moves by micrometres, does not count.
        """
        source = self._source if frame is None else frame._replay
        column, row, columns, rows = self._core.update(source(), self.heights)
        if rows == 0:
            return None
        return slice(row, row + rows), slice(column, column + columns)

    def __repr__(self) -> str:
        rows, columns = self.heights.shape
        return f"<firn.Heights, {rows} rows and {columns} columns>"
