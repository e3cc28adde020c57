# SPDX-License-Identifier: MIT
"""Finished runs: frames read when they are used, statistics as arrays, export, pictures."""
from __future__ import annotations

import builtins
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Iterator, Mapping

from ._errors import NameRefused
from ._heights import Heights, height_arrays
from ._keys import RunKeys
from ._picture import encode_png, height_of, pixels
from ._progress import Hook, bar
from ._scene import Scene, written
from ._simulation import Simulation, mesh_arrays

if TYPE_CHECKING:
    from . import _firn
else:
    from . import _library as _firn


class Frame:
    """A frame of a run. It is read from disk when something of it is used."""

    def __init__(self, run: Run, number: int) -> None:
        self._run = run
        self.number = number

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._run._at(self.number).now()[1]

    @property
    def fields(self) -> list[str]:
        """Names of its fields."""
        return self._run._at(self.number).fields()

    def __getitem__(self, name: str) -> _firn.Field:
        return self._run._at(self.number).field(name)

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self["position"])

    @property
    def colliders(self) -> list[SimpleNamespace]:
        """Colliders as they were: position, rotation, velocity, spin, low, high, ..."""
        replay = self._run._at(self.number)
        return [SimpleNamespace(**replay.body(k)) for k in range(replay.bodies())]

    def collider_mesh(self, index: int) -> SimpleNamespace:
        """Triangles of a collider in its own coordinates: vertices, normals, triangles."""
        return mesh_arrays(self._run._at(self.number).body_mesh(index))

    def heights(self, **keys: Any) -> SimpleNamespace:
        """A height field, as Simulation.heights."""
        return height_arrays(self._run._at(self.number).heights(keys))

    def keep_heights(self, **keys: Any) -> Heights:
        """A height field that is kept, as Simulation.keep_heights; update(frame) takes others."""
        return Heights(self._replay, keys)

    def _replay(self) -> Any:
        return self._run._at(self.number)

    def picture(self, width: int = 640, height: int | None = None) -> Any:
        """A preview from the scene's camera: an array of pixels, (height, width, 3), sRGB."""
        height = height_of(width, height)
        return pixels(self._run._at(self.number).picture(width, height), width, height)

    def _repr_png_(self) -> bytes:
        return encode_png(self.picture(480))

    def __repr__(self) -> str:
        return f"<firn.Frame {self.number} of {self._run.folder}>"


class Stats(Mapping[str, Any]):
    """Statistics of every step of a run, stats.csv, as arrays by column; read when first used."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._columns: dict[str, Any] | None = None

    def _read(self) -> dict[str, Any]:
        if self._columns is None:
            import csv

            import numpy as np
            try:
                with builtins.open(self._path, encoding="utf-8", newline="") as file:
                    names, *rows = csv.reader(file)
            except (FileNotFoundError, ValueError):
                raise NameRefused(f"there are no statistics in '{self._path}'") from None
            columns = {}
            for name, values in zip(names, zip(*rows) if rows else ([],) * len(names)):
                try:
                    numbers = np.array([float(v) if v else np.nan for v in values])
                    whole = numbers.size > 0 and all(v.lstrip("-").isdigit() for v in values)
                    columns[name] = numbers.astype(np.int64) if whole else numbers
                except ValueError:
                    columns[name] = np.array(values)
            self._columns = columns
        return self._columns

    def __getitem__(self, name: str) -> Any:
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._read()[name]
        except KeyError:
            raise AttributeError(f"stats.csv has no column {name!r}") from None

    def __repr__(self) -> str:
        return f"<firn.Stats of {self._path}>"


class Run(RunKeys):
    """The folder of a run: run[12] is a frame, run.stats has statistics of all steps.

    firn.open(folder) opens it. Frames are read when they are used; views of several frames may be
    alive at once.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)
        self._replays = [_firn.Replay(self.folder)]
        self.stats = Stats(os.path.join(self.folder, "stats.csv"))

    # ---- frames ----------------------------------------------------------------------------------

    def _at(self, number: int) -> _firn.Replay:
        if not self._replays:
            raise ValueError("the run is closed")
        free = None
        for replay in self._replays:
            frame, _, views = replay.now()
            if frame == number:
                return replay
            if views == 0:
                free = replay
        if free is None:
            free = _firn.Replay(self.folder)
            self._replays.append(free)
        free.seek(number)
        return free

    @property
    def frames(self) -> list[int]:
        """Numbers of the frames that exist now; a run in progress gets more."""
        if not self._replays:
            raise ValueError("the run is closed")
        return self._replays[0].frames()

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, number: int) -> Frame:
        frames = self.frames
        number = int(number)
        if number < 0:
            if -number > len(frames):
                raise IndexError(f"the run has {len(frames)} frames")
            number = frames[number]
        if number not in frames:
            raise IndexError(f"'{self.folder}' has no frame {number} (it has {frames[0]} to "
                             f"{frames[-1]})")
        return Frame(self, number)

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self, number) for number in self.frames)

    # ---- the run ---------------------------------------------------------------------------------

    @property
    def info(self) -> SimpleNamespace:
        """Summary: scene, solver, frames, particles, checkpoint, bytes, complete, ..."""
        return SimpleNamespace(**_firn.run_info(self.folder, False))

    def verify(self) -> SimpleNamespace:
        """The same after checking the checksums of all files: damaged is 0 if all are well."""
        return SimpleNamespace(**_firn.run_info(self.folder, True))

    @property
    def scene(self) -> Scene:
        """The scene of the run."""
        return Scene(os.path.join(self.folder, "scene.yaml"))

    def resume(self, **options: Any) -> Simulation:
        """A simulation that continues from the newest checkpoint: call its run()."""
        return Simulation(self.scene, output_dir=self.folder, resume=True, **options)

    def close(self) -> None:
        """Free the memory now; views of frames must be gone."""
        for replay in self._replays:
            replay.close()
        self._replays = []

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _measure(self, region: Any, keys: dict[str, Any]) -> SimpleNamespace:
        import numpy as np
        rows = _firn.measure(self.folder, keys, tuple(region) if region is not None else None)
        names = [k for k in rows[0] if k != "loads"] if rows else []
        columns = {name: np.array([row[name] for row in rows]) for name in names}
        loads = np.array([row["loads"] for row in rows if row["loads"]], float)
        if loads.size:
            columns["forces"], columns["torques"] = loads[:, :, 0], loads[:, :, 1]
        return SimpleNamespace(**columns)

    def _export(self, keys: dict[str, Any]) -> None:
        if keys.get("output_dir") is not None:
            keys["output_dir"] = os.fspath(keys["output_dir"])
        _firn.export(self.folder, keys, None)

    def _render(self, frames: Any, set: Mapping[str, Any] | None, progress: Any,
                keys: dict[str, Any]) -> SimpleNamespace:
        if keys.get("output_dir") is not None:
            keys["output_dir"] = os.fspath(keys["output_dir"])
        hook = Hook()
        shown = bar(len(frames) if frames is not None else len(self), "pictures", "picture") \
            if progress is True else None
        if callable(progress):
            hook.callback = progress
        elif shown is not None:
            hook.callback = lambda now: shown.show(
                now.done + now.passes / max(now.passes_max, 1) * (not now.picture_done),
                f"noise {now.noise:.2g}")
        overrides = [f"{key}={written(value)}" for key, value in (set or {}).items()]
        try:
            return SimpleNamespace(**_firn.render(
                self.folder, keys, overrides,
                None if frames is None else [int(n) for n in frames], hook))
        finally:
            if shown is not None:
                shown.close()

    def _repr_png_(self) -> bytes:
        return self[-1]._repr_png_()

    def __repr__(self) -> str:
        i = self.info
        state = "complete" if i.complete else f"up to frame {i.frame_last}"
        return (f"<firn.Run {self.folder}: {i.scene}, {i.solver}, {i.frame_count} frames, {state}, "
                f"{i.particles:,} particles, {i.bytes / 1e6:.0f} MB>")


def open(folder: str | os.PathLike[str]) -> Run:
    """Open the folder of a run, finished or in progress."""
    return Run(folder)


def run(scene: Scene | str | os.PathLike[str] | Mapping[str, Any],
        output_dir: str | os.PathLike[str], *, progress: Any = True, **options: Any) -> Run:
    """Simulate a scene, write its frames to a folder, and open it."""
    with Simulation(scene, output_dir=output_dir, **options) as sim:
        sim.run(progress=progress)
    return Run(output_dir)
