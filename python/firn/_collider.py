# SPDX-License-Identifier: MIT
"""Colliders of a simulation."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ._shapes import Rotation, Vector, quaternion, vector


class Collider:
    """A collider of a simulation as it is now: pose, extent, load; it can be moved and pushed."""

    def __init__(self, core: Any, raw: tuple[Any, ...]) -> None:
        self._core = core
        self.raw = raw

    @property
    def info(self) -> SimpleNamespace:
        """position, rotation (w, x, y, z), scale, velocity, spin, driver, mass, low, high, ..."""
        return SimpleNamespace(**self._core.body(self.raw))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._core.body(self.raw)[name]
        except KeyError:
            raise AttributeError(f"a collider has no {name!r}") from None

    @property
    def force(self) -> tuple[float, float, float]:
        """Force of the snow in the last step [N]."""
        return self._core.body_load(self.raw)[0]["force"]

    @property
    def torque(self) -> tuple[float, float, float]:
        """Torque of the snow in the last step [N m]."""
        return self._core.body_load(self.raw)[0]["torque"]

    @property
    def frame_load(self) -> SimpleNamespace:
        """Mean force and torque over the last frame: force, torque, about, seconds."""
        return SimpleNamespace(**self._core.body_load(self.raw)[1])

    def move(self, position: Vector | None = None, *, rotation: Rotation | None = None,
             scale: float | None = None, velocity: Vector = (0, 0, 0),
             spin: Vector = (0, 0, 0)) -> None:
        """Put the collider here, from where it continues with its velocity and spin.

        None: as it is now.
        """
        now = self.info
        self._core.body_move(self.raw, now.position if position is None else
                             vector(position, "position"),
                             now.rotation if rotation is None else quaternion(rotation),
                             now.scale if scale is None else float(scale),
                             vector(velocity, "velocity"), vector(spin, "spin"))

    def release(self) -> None:
        """Stop moving it: it continues as the scene says."""
        self._core.body_release(self.raw)

    def push(self, impulse: Vector | None = None, *, at: Vector | None = None,
             angular: Vector | None = None) -> None:
        """Change the motion of a dynamic collider by an impulse [N s] at a point (None: at its
        centre of mass), and by an angular impulse [N m s]."""
        self._core.body_push(self.raw, impulse, at, angular)

    def mesh(self) -> SimpleNamespace:
        """Triangles in its own coordinates: vertices, normals, triangles."""
        from ._simulation import mesh_arrays
        return mesh_arrays(self._core.body_mesh(self.raw))

    def __index__(self) -> int:
        return self.raw[0] - 1

    def __repr__(self) -> str:
        i = self.info
        held = f"{i.mass:g} kg" if i.mass else f"moved by the {i.driver}"
        kind = "removed" if i.removed else held
        return f"<firn.Collider {self.raw[0] - 1}: {kind}, at {i.position}>"
