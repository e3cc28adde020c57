# SPDX-License-Identifier: MIT
"""Simulations: step, read fields without copying, edit, ask."""
from __future__ import annotations

import os
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, NamedTuple

from ._collider import Collider
from ._heights import Heights, height_arrays
from ._keys import SimulationKeys, simulation_options
from ._picture import encode_png, height_of, pixels
from ._progress import Hook, bar
from ._scene import Id, Scene, joint_keys
from ._shapes import Rotation, Shape, Vector, quaternion, vector

if TYPE_CHECKING:
    from . import _firn
else:
    from . import _library as _firn

Log = Callable[[str, str, str], Any]
Progress = Callable[[Any], Any]


class Advance(NamedTuple):
    """What `Simulation.advance` has done."""

    simulated: float
    """[s] simulated time"""
    wall: float
    """[s] wall-clock time"""
    steps: int
    behind: float
    """[s] simulated time that was dropped because the budget ran out"""


def _reals(data: Any, columns: int = 3) -> Any:
    import numpy as np
    return np.frombuffer(data, dtype=f"f{_firn.REAL_BYTES}").reshape(-1, columns)


def mesh_arrays(raw: dict[str, Any]) -> SimpleNamespace:
    """Arrays of a mesh of the C library."""
    import numpy as np
    arrays = {k: _reals(v, 1)[:, 0] if k == "temperatures" else _reals(v)
              for k, v in raw.items() if k != "triangles"}
    arrays["triangles"] = np.frombuffer(raw["triangles"], dtype=np.int32).reshape(-1, 3)
    return SimpleNamespace(**arrays)


class Simulation(SimulationKeys):
    """A simulation of a scene, which is copied.

    sim = firn.Simulation(scene, threads=4)
    sim.frame(24)                       # to a later frame
    x = sim["position"].array           # (n, 3), without a copy
    """

    def __init__(self, scene: Scene | str | os.PathLike[str] | Mapping[str, Any], *,
                 log: Log | None = None, **options: Any) -> None:
        self._scene = scene if isinstance(scene, Scene) else Scene(scene)
        options = simulation_options(**options)
        if options.get("output_dir") is not None:
            options["output_dir"] = os.fspath(options["output_dir"])
        self._options = options
        self._hook = Hook()
        with self._scene._lock:  # other threads may create simulations of the same scene
            self._core = _firn.Sim(self._scene._core, options, log, self._hook, 0.1)

    # ---- stepping --------------------------------------------------------------------------------

    def step(self, count: int = 1) -> None:
        """Do time steps; the solver chooses their length. Ctrl-C stops between two of them."""
        self._core.step(count)

    def frame(self, count: int = 1) -> None:
        """Step to the next frame time, or `count` frames further."""
        self._core.frame(count)

    def advance(self, seconds: float, budget: float = 0) -> Advance:
        """Advance by simulated `seconds` in whole steps, within a `budget` of wall-clock seconds.

        0: no budget. Overshoot of one call is taken from the next.
        """
        return Advance(*self._core.advance(seconds, budget))

    def run(self, *, progress: bool | Progress = True,
            on_frame: Callable[[Simulation], Any] | None = None) -> None:
        """Simulate to the last frame; with an output_dir, write frames, pictures and statistics.

        `progress`: True shows a bar (tqdm, if installed), a function is called with the attributes
        frame, frame_end, step, time, dt, particles, seconds_left, frame_done and more. `on_frame`
        is called with the simulation after each frame, and may read its fields. Ctrl-C stops after
        the current step; a run on disk writes a checkpoint first, from which resume=True continues.
        """
        last = self._options.get("frame_end", -1)
        if last < 0:
            last = self.view.frames
        name = self._scene.info["name"] or "frames"
        shown = bar(last, name, "frame") if progress is True else None

        def report(now: Any) -> None:
            if shown is not None:
                done = now.frame if now.frame_done else now.frame - 1 + now.frame_fraction
                shown.show(min(done, last), f"{now.particles:,} particles, dt {now.dt:.2g} s")
            elif callable(progress):
                progress(now)
            if on_frame is not None and now.frame_done:
                on_frame(self)
        self._hook.callback = report
        try:
            if self._options.get("output_dir") is not None:
                self._core.run()
            else:
                self._core.frame(max(0, last - self.frame_number))
        finally:
            self._hook.callback = None
            if shown is not None:
                shown.close()

    def cancel(self) -> None:
        """Make a call that steps, on another thread, stop after its current step.

        That call raises Interrupted. If none is running, the next one does at once.
        """
        self._core.cancel()

    def close(self) -> None:
        """Free the memory now; views of fields must be gone."""
        self._core.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ---- state -----------------------------------------------------------------------------------

    @property
    def info(self) -> SimpleNamespace:
        """State and statistics: frame, step, time, dt, particles, energies, memory_bytes, ..."""
        return SimpleNamespace(**self._core.info())

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._core.info()["time"]

    @property
    def frame_number(self) -> int:
        """Frames that are complete."""
        return self._core.info()["frame"]

    @property
    def step_number(self) -> int:
        """Steps since the start."""
        return self._core.info()["step"]

    def __len__(self) -> int:
        return self._core.info()["particles"]

    def __bool__(self) -> bool:
        return True

    @property
    def scene(self) -> Scene:
        """The scene that the simulation was created from."""
        return self._scene

    @property
    def state_hash(self) -> int:
        """Hash of the state; it does not depend on the number of threads."""
        return self._core.hash()

    @property
    def view(self) -> SimpleNamespace:
        """Camera of the scene, frames, fps and other settings for drawing."""
        return SimpleNamespace(**self._core.view())

    # ---- fields ----------------------------------------------------------------------------------

    @property
    def fields(self) -> list[str]:
        """Names of the fields of the particles."""
        return self._core.fields()

    def __getitem__(self, name: str) -> _firn.Field:
        return self._core.field(name)

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __setitem__(self, name: str, values: Any) -> None:
        self.write(**{name: values})

    def write(self, **values: Any) -> None:
        """Write fields: sim.write(velocity=v). All are checked before any is taken.

        All solvers: position, velocity; mpm: def_grad_elastic, plastic_det, affine; sph:
        plastic_det, temperature; grains: spin, temperature.
        """
        self._write(values, -1)

    def _write(self, values: dict[str, Any], serial: int) -> None:
        import numpy as np
        ready = {}
        for name, value in values.items():
            field = self._core.field(name)
            array = np.ascontiguousarray(np.broadcast_to(value, field.shape), dtype=field.dtype)
            ready[name] = array.reshape(-1).view(np.uint8)
        self._core.write(ready, serial)

    @contextmanager
    def edit(self, *names: str) -> Iterator[Any]:
        """Write into fields:

            with sim.edit("velocity") as v:
                v[:, 1] += 3

        Several names give several arrays. The values are taken at the end of the block, all or
        none; after an exception, none.
        """
        arrays = tuple(self._core.field(name).copy() for name in names)
        serial = self._core.serial()
        yield arrays[0] if len(arrays) == 1 else arrays
        self._write(dict(zip(names, arrays)), serial)

    def save(self) -> bytes:
        """The whole state, for `restore`: the simulation goes on from it bit for bit."""
        return self._core.save()

    def restore(self, state: bytes) -> None:
        """Return to a state of this simulation, or of another one of the same scene."""
        self._core.restore(state)

    # ---- snow, colliders and emitters come and go ------------------------------------------------

    def _add(self, kind: str, shape: Shape, keys: dict[str, Any]) -> Id:
        at, turn = keys.pop("at", None), keys.pop("turned", None)
        with self._scene._lock:
            given = self._scene.item_keys(shape, keys)
            if kind == "snow":
                where = None if at is None and turn is None else \
                    (vector(at or (0, 0, 0), "at"), quaternion(turn))
                return Id("snow", self._core.add_snow(self._scene._core, given, where))
            add = self._core.add_collider if kind == "collider" else self._core.add_emitter
            return Id(kind, add(self._scene._core, given))

    def particles_of(self, snow: Id) -> range:
        """Ids of the particles of snow that was added (field "id"); some may be gone."""
        first, count = self._core.snow_particles(snow.raw)
        return range(first, first + count)

    def remove_snow(self, shape: Shape, *, at: Vector | None = None,
                    turned: Rotation | None = None) -> int:
        """Remove the particles inside a shape, moved to `at` and turned; returns how many."""
        where = None if at is None and turned is None else \
            (vector(at or (0, 0, 0), "at"), quaternion(turned))
        with self._scene._lock:
            return self._core.remove_snow(self._scene._core, self._scene.shape_id(shape), where)

    def remove_particles(self, ids: Any) -> int:
        """Remove particles by their ids (field "id"); returns how many there were."""
        import numpy as np
        return self._core.remove_particles(np.ascontiguousarray(ids, dtype=np.uint32))

    @property
    def colliders(self) -> list[Collider]:
        """The colliders, in the order of the scene; those that were removed keep their place."""
        return [Collider(self._core, raw) for raw in self._core.bodies()]

    def remove_collider(self, collider: Id | Collider) -> None:
        """Remove a collider; a state saved before brings it back."""
        self._core.remove_collider(collider.raw)

    def _add_joint(self, kind: str, a: Any, b: Any, keys: dict[str, Any]) -> Id:
        return Id("joint", self._core.add_joint(joint_keys(kind, a, b, keys)))

    def joint(self, joint: Id | int) -> SimpleNamespace:
        """What a joint does, by its id, or by its number in the scene file.

        force [N] and torque [N m] on its first collider in the last step, angle [rad] of a hinge,
        broken, removed.
        """
        return SimpleNamespace(**self._core.joint(self._joint_id(joint)))

    def remove_joint(self, joint: Id | int) -> None:
        """Remove a joint; a state saved before brings it back."""
        self._core.remove_joint(self._joint_id(joint))

    def _joint_id(self, joint: Id | int) -> tuple[Any, ...]:
        if isinstance(joint, Id):
            return joint.raw
        bodies = self._core.bodies()  # all ids of a scene have the same owner
        return (int(joint) + 1, bodies[0][1] if bodies else 0)

    def remove_emitter(self, emitter: Id) -> None:
        """Remove an emitter."""
        self._core.remove_emitter(emitter.raw)

    # ---- gravity, wind, temperature --------------------------------------------------------------

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Gravity [m/s^2]."""
        return self._core.world()[0]

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        self._core.set_world("gravity", value)

    @property
    def wind(self) -> tuple[float, float, float]:
        """Wind without gusts [m/s]."""
        return self._core.world()[1]

    @wind.setter
    def wind(self, value: Vector) -> None:
        self._core.set_world("wind", value)

    @property
    def temperature(self) -> float:
        """Temperature of the air [degC]; NaN: no heat exchange. Setting it also sets colliders'."""
        return self._core.world()[2]

    @temperature.setter
    def temperature(self, celsius: float) -> None:
        self._core.set_world("temperature", celsius)

    # ---- questions -------------------------------------------------------------------------------

    def rays(self, origins: Any, directions: Any, *, reach: float = float("inf"),
             skip_snow: bool = False, skip_colliders: bool = False) -> SimpleNamespace:
        """What rays meet first, (n, 3) origins and directions, or one of each.

        Arrays kind (0: nothing, 1: snow, 2: a collider), distance, point, normal, index and id of
        the particle, index of the collider (-1: none).
        """
        import numpy as np
        real = f"f{_firn.REAL_BYTES}"
        many = np.broadcast_arrays(np.atleast_2d(np.asarray(origins, real)),
                                   np.atleast_2d(np.asarray(directions, real)))
        starts, ways = (np.ascontiguousarray(a) for a in many)
        if starts.ndim != 2 or starts.shape[1] != 3:
            raise ValueError(f"rays have the shape (n, 3), not {starts.shape}")
        raw = self._core.rays(starts.reshape(-1).view(np.uint8), ways.reshape(-1).view(np.uint8),
                              reach, skip_snow, skip_colliders)
        types = {"kind": np.uint8, "distance": np.float64, "index": np.int32, "id": np.uint32,
                 "collider": np.int32}
        return SimpleNamespace(**{k: np.frombuffer(v, types[k]) if k in types else _reals(v)
                                  for k, v in raw.items()})

    def ray(self, origin: Vector, direction: Vector, *, reach: float = float("inf"),
            skip_snow: bool = False, skip_colliders: bool = False) -> SimpleNamespace | None:
        """What a ray meets first, with kind "snow" or "collider"; None: nothing."""
        hit = self.rays(origin, direction, reach=reach, skip_snow=skip_snow,
                        skip_colliders=skip_colliders)
        if hit.kind[0] == 0:
            return None
        return SimpleNamespace(kind=("", "snow", "collider")[hit.kind[0]],
                               distance=float(hit.distance[0]), point=hit.point[0],
                               normal=hit.normal[0], index=int(hit.index[0]), id=int(hit.id[0]),
                               collider=int(hit.collider[0]))

    def _heights(self, keys: dict[str, Any]) -> SimpleNamespace:
        return height_arrays(self._core.heights(keys))

    def _keep_heights(self, keys: dict[str, Any]) -> Heights:
        return Heights(lambda: self._core, keys)

    def height_at(self, x: float, z: float, empty: float = 0) -> float:
        """Height of the snow at a point of the ground [m]; `empty` where there is none."""
        return self._core.height_at(x, z, empty)

    def snow_in_box(self, low: Vector, high: Vector) -> SimpleNamespace:
        """Snow in a box: count, mass [kg], density [kg/m^3], mean velocity and temperature."""
        return SimpleNamespace(**self._core.amount(low, high, 0.0))

    def snow_in_ball(self, center: Vector, radius: float) -> SimpleNamespace:
        """Snow in a ball: as snow_in_box."""
        return SimpleNamespace(**self._core.amount(center, None, radius))

    def _surface(self, box: Any, keys: dict[str, Any]) -> SimpleNamespace:
        return mesh_arrays(self._core.surface(keys, tuple(box) if box is not None else None))

    # ---- showing ---------------------------------------------------------------------------------

    def picture(self, width: int = 640, height: int | None = None) -> Any:
        """A preview from the scene's camera: an array of pixels, (height, width, 3), sRGB."""
        height = height_of(width, height)
        return pixels(self._core.picture(width, height), width, height)

    def _repr_png_(self) -> bytes:
        return encode_png(self.picture(480))

    def __repr__(self) -> str:
        try:
            i = self.info
        except ValueError:
            return "<firn.Simulation, closed>"
        name = self._scene.info["name"] or "scene"
        return (f"<firn.Simulation {name}: {i.particles:,} particles, frame {i.frame}, step "
                f"{i.step}, {i.time:.4g} s, on {i.device or i.backend}>")
