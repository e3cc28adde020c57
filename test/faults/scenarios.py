# SPDX-License-Identifier: MIT
"""The table of tools/faults: which commands are disturbed, on which scenes, and by which errors."""
from dataclasses import dataclass

# The smallest scenes that use every part of a run: some hundred particles, milliseconds.
BALL = """
  - shape: {sphere: {center: [0, 0.08, 0], radius: 0.06}}
    material: packed
    velocity: [0.5, -2, 0]
"""
# Grains from a file: packing a sphere with them would take a second.
POINTS = """
  - file: grains.ply
    material: packed
    velocity: [0.5, -2, 0]
"""
GRAINS = "ply\nformat ascii 1.0\nelement vertex 64\n" + "".join(
    f"property float {axis}\n" for axis in "xyz") + "end_header\n" + "".join(
    f"{0.03 * (i % 4)} {0.02 + 0.03 * (i // 4 % 4)} {0.03 * (i // 16)}\n" for i in range(64))
COMMON = """firn: 1
time: {frames: 2, fps: 1000}
materials: {packed: {preset: snow}}
colliders:
  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}
    friction: 0.5
output: {checkpoint: {every: 1}, film: false, preview: false}
render: {camera: {eye: [0.5, 0.3, 0.6], look_at: [0, 0.05, 0], fov: 35}, width: 16, height: 16}
"""
SCENES = {
    "mpm": COMMON + "solver: mpm\nmpm: {cell: 0.03}\nsnow:" + BALL,
    "sph": COMMON + "solver: sph\nsph: {spacing: 0.02}\nsnow:" + BALL,
    "grains": COMMON + "solver: grains\ngrains: {radius: 0.015}\nsnow:" + POINTS,
    "ballistic": COMMON + "solver: ballistic\nballistic: {spacing: 0.03}\nsnow:" + BALL,
}
SOLVERS = tuple(SCENES)
CUDA = ("mpm", "grains", "ballistic")  # solvers that also run on a GPU

# Errors that a call of each kind can give; the first one also from the n-th call on.
ERRORS = {
    "open": ("EIO", "EACCES", "EMFILE", "ENOSPC", "EINTR"),
    "read": ("EIO", "EINTR", "short"),
    "write": ("ENOSPC", "EIO", "EINTR", "short"),
    "sync": ("EIO", "ENOSPC", "EINTR"),
    "rename": ("EIO", "ENOSPC", "EACCES"),
    "close": ("EIO", "ENOSPC", "EINTR"),
    "unlink": ("EIO", "EACCES"),
    "stat": ("EIO", "EACCES"),
    "mkdir": ("EIO", "ENOSPC", "EACCES"),
    "resize": ("ENOSPC", "EIO", "EINTR"),
    "list": ("EIO", "EMFILE"),
    "lock": ("EIO", "EINTR"),
    "pipe": ("EMFILE",),
    "spawn": ("EAGAIN",),
}
# What the message must say where an input file (exit code 3) cannot be read.
REASONS = {"EIO": "Input/output error", "EACCES": "Permission denied",
           "EMFILE": "Too many open files", "ENOSPC": "No space left", "EINTR": "Interrupted"}
TRANSPARENT = ("short",)  # firn must give the same result as without the fault


@dataclass(frozen=True)
class Scenario:
    """A command of firn in a folder with scene.yaml and whatever `setup` leaves there."""

    name: str
    command: str
    repair: str = ""  # command that ends with the result of an undisturbed `command`
    setup: tuple = ()
    solvers: tuple = ("mpm",)
    kept: tuple = ()  # files and folders that the command must not change
    refused: bool = False  # the command must fail, with and without faults
    first_frame: int = 0  # the command must not compute earlier frames
    ignorable: tuple = ()  # what may be missing if a warning says so: films


RUN = "run scene.yaml -o out --json --threads 1"
OTHER = " --set snow.0.velocity=[0,-1,0]"
FILM = " --set output.film=true --set output.preview=true"
EXPORT = "export out --to ply,vtp,heights --samples 16 -o exported"
STAGE = "export out --to colliders,mesh --mesh-format glb -o exported"
RENDER = "render out -o pictures --samples 1 --threads 1 --frames 1:2 --json"
TRIM = "trim out --frames 0:2:2 --fields velocity --compression 9 --checkpoints 1 --json"
FIRST = "run scene.yaml -o first --json --threads 1"
FROM = "run scene.yaml --from first:1 -o out --json --threads 1"
KILLED = "kill:0.75"  # of `setup`: the command after it is killed after 75 % of its calls

SCENARIOS = (
    Scenario("run", RUN, RUN + " --resume", solvers=SOLVERS),
    Scenario("resume", RUN + " --resume", RUN + " --resume", (KILLED, RUN), SOLVERS,
             first_frame=1),
    Scenario("from", FROM, FROM + " --resume", (FIRST,), kept=("first",), first_frame=1),
    Scenario("refuse", RUN, setup=(RUN + OTHER,), kept=("out",), refused=True),
    Scenario("overwrite", RUN + " --overwrite", RUN + " --overwrite", (RUN + OTHER,)),
    Scenario("export", EXPORT, EXPORT, (RUN,), kept=("out",)),
    Scenario("export-stage", STAGE, STAGE, (RUN,), kept=("out",)),
    Scenario("render", RENDER + " --no-film", RENDER + " --no-film --resume", (RUN,),
             kept=("out",)),
    Scenario("film", RUN + FILM, RUN + FILM + " --resume",
             ignorable=("out/scene.mp4", "out/scene.sheet.png", "out/manifest.json")),
    Scenario("render-film", RENDER, RENDER + " --resume", (RUN,), kept=("out",),
             ignorable=("pictures/scene.0001-0002.mp4",)),
    Scenario("trim", TRIM, TRIM, (RUN,), kept=("out/scene.yaml", "out/stats.csv")),
    Scenario("diff", "diff out out --json --threads 1", "diff out out --json --threads 1", (RUN,),
             kept=("out",)),
    Scenario("verify", "info out --verify", "info out --verify", (RUN,), kept=("out",)),
    Scenario("measure", "measure out --csv --threads 1", "measure out --csv --threads 1", (RUN,),
             kept=("out",)),
)

# Part of --quick: a run whose manifest cannot be read is neither replaced nor started over; a frame
# that cannot be read is neither left out of an export nor called damaged; forces that cannot be read
# are not left out; short reads and writes are no errors.
ALWAYS = tuple(f"{scenario}/mpm/manifest.json/{number}/{error}"
               for scenario in ("refuse", "resume") for number in (1, 2)
               for error in ("EIO+", "EACCES+", "EIO")) + (
    "run/mpm/unlink/1/EIO+",
    "run/mpm/write/1/short+",
    "resume/mpm/read/1/short+",
    "refuse/mpm/scene.yaml/1/EIO",
    "export/mpm/rename/1/kill",
    "export/mpm/scene.0000.hdf/2/EIO",
    "verify/mpm/scene.0002.hdf/2/EIO",
    "measure/mpm/stats.csv/1/EACCES",
    "trim/mpm/rename/2/kill",
    "trim/mpm/unlink/1/kill",
    "trim/mpm/write/3/ENOSPC+",
    "measure/mpm/stats.csv/3/EIO",
    "from/mpm/rename/1/kill",
    "from/mpm/scene.0001.hdf/2/EIO",
)
