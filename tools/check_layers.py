#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks what STYLE.md says about structure: who may include whom (section 4), how long files and
functions may be (section 1), and that tests mirror sources (section 11).

    tools/check_layers.py [ROOT]       prints file:line: error: … ; status 1 when there are errors
    tools/check_layers.py --self-test  builds small trees with one mistake each and expects to hear it
"""
import os
import re
import sys
import tempfile

# A folder includes only folders of a smaller number, and itself.
LAYER = {
    "core": 0,
    "math": 1, "device": 1,
    "physics": 2, "comm": 2,
    "linalg": 3, "mesh": 3, "state": 3,
    "geometry": 4,
    "scene": 5,
    "solver": 6,
    "output": 7, "render": 7,
    "sim": 8,
}
# Narrower than the number says.
ONLY = {"device": {"core"}, "physics": {"math"}}
# These see the interface of solvers, and do not know which solver runs.
NO_SOLVER = {"output", "render", "sim"}
# The folder of src/solver that all solvers use.
SHARED = "shared"
# Outside src/: these see include/firn and their own folder.
CLIENTS = ("app", "bindings", "samples", "bench")
# Folders of test/ that mirror nothing in src/.
EXTRA_TESTS = {"backend", "cli", "compile", "fuzz", "golden", "install", "layers", "mpi", "scenes", "validation", "viewer"}

SOURCE = (".c", ".h", ".cc", ".cu", ".cuh")
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')
FILE_LINES = 400
FILE_LINES_WITH_REASON = 800
REASON = "Longer than 400 lines because"
FUNCTION_LINES = 60


class Report:
    def __init__(self):
        self.errors = []
        self.warnings = []

    def error(self, path, line, text):
        self.errors.append(f"{path}:{line}: error: {text}")

    def warn(self, path, line, text):
        self.warnings.append(f"{path}:{line}: warning: {text}")


def source_files(root, top):
    """Paths of source files below root/top, relative to root."""
    for folder, subfolders, files in os.walk(os.path.join(root, top)):
        subfolders.sort()
        for name in sorted(files):
            if name.endswith(SOURCE):
                yield os.path.relpath(os.path.join(folder, name), root)


def check_solver_include(path, line, included, report):
    """Inside src/solver: solvers see the interface and shared/, not each other; only registry.c knows all."""
    mine = path.split("/")[2:-1]          # [] for src/solver/x, ["mpm"] for src/solver/mpm/x
    theirs = included.split("/")[1:-1]
    if mine and theirs and mine[0] != theirs[0] and theirs[0] != SHARED:
        report.error(path, line, f"solver {mine[0]} includes solver {theirs[0]} ({included}): "
                                 "what two solvers share moves down a layer")
    if not mine and theirs and theirs[0] != SHARED and path.endswith(".h"):
        report.error(path, line, f"the solver interface includes a solver ({included})")


def check_include(path, line, included, report):
    parts = path.split("/")
    target = included.split("/")[0] if "/" in included else None
    if parts[0] == "include":
        if target != "firn":
            report.error(path, line, f"a public header includes {included}: only firn/ may be included there")
        return
    if target == "firn":
        return
    if parts[0] in CLIENTS:
        if target in LAYER:
            report.error(path, line, f"{parts[0]}/ includes {included}: it sees include/firn only")
        return
    folder = parts[1]
    if folder not in LAYER:
        report.error(path, line, f"src/{folder} has no layer: add it to STYLE.md section 4 and to {__file__}")
    elif target is None:
        if included not in ("build_info.h",) and not included.endswith(".inc"):
            report.error(path, line, f'"{included}" needs its folder: "{"/".join(parts[1:-1])}/{included}"')
    elif target not in LAYER:
        report.error(path, line, f"{included}: no folder of src/ is called {target}")
    elif target == folder:
        if folder == "solver":
            check_solver_include(path, line, included, report)
    elif folder in ONLY and target not in ONLY[folder]:
        report.error(path, line, f"{folder} may include {', '.join(sorted(ONLY[folder]))} only, not {included}")
    elif folder in NO_SOLVER and target == "solver" and included.count("/") > 1 \
            and included.split("/")[1] != SHARED:
        report.error(path, line, f"{folder} includes {included}: it must not know which solver runs")
    elif LAYER[target] >= LAYER[folder]:
        report.error(path, line, f"{folder} (layer {LAYER[folder]}) includes {included} (layer {LAYER[target]}): "
                                 "hand it plain data or a function pointer instead")


def check_lengths(path, lines, report):
    reason = any(REASON in text for text in lines[:15])
    limit = FILE_LINES_WITH_REASON if reason else FILE_LINES
    if len(lines) > limit:
        hint = "" if reason else f'; split it, or say "{REASON} …" in its head'
        report.error(path, len(lines), f"{len(lines)} lines, more than {limit}{hint}")
    # Only functions have their braces in the first column (.clang-format).
    start = None
    for number, text in enumerate(lines, 1):
        if text.startswith("{"):
            start = number
        elif text.startswith("}") and start is not None:
            length = number - start - 1
            if length > FUNCTION_LINES:
                report.warn(path, start, f"function of {length} lines, more than {FUNCTION_LINES}")
            start = None


def check_test_place(root, path, report):
    parts = path.split("/")
    if len(parts) < 3 or parts[1] in EXTRA_TESTS:
        return
    name = parts[-1]
    if not name.startswith("test_"):
        return  # helpers beside tests
    stem = os.path.splitext(name)[0][len("test_"):]
    words = stem.split("_")
    if words[0] == parts[-2]:
        return  # test/solver/mpm/test_mpm_transfer.c: several files of the folder together
    # test_parse.c and test_parse_errors.c both belong to parse.c.
    folder = os.path.join(root, "src", *parts[1:-1])
    stems = ["_".join(words[:count]) for count in range(1, len(words) + 1)]
    if not any(os.path.exists(os.path.join(folder, s + suffix)) for s in stems for suffix in SOURCE):
        report.error(path, 1, f"mirrors no source: there is no {'/'.join(['src', *parts[1:-1], stem])}.c or .h; "
                              f"a test of the folder as a whole is test_{parts[-2]}_{stem}.c")


def check_tree(root):
    report = Report()
    for top in ("include", "src") + CLIENTS + ("test",):
        for path in source_files(root, top):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                lines = file.read().splitlines()
            check_lengths(path, lines, report)
            if top == "test":
                check_test_place(root, path, report)
                continue
            for number, text in enumerate(lines, 1):
                match = INCLUDE.match(text)
                if match:
                    check_include(path, number, match.group(1), report)
    return report


# For the self-test: one file per case, and a part of the error it must give (None: no error).
CASES = [
    ("src/core/a.c", '#include "math/vec3.h"', "core (layer 0) includes math/vec3.h"),
    ("src/state/a.c", '#include "geometry/sdf/shape.h"', "state (layer 3) includes geometry/sdf/shape.h"),
    ("src/physics/a.h", '#include "core/log.h"', "physics may include math only"),
    ("src/device/a.h", '#include "math/vec3.h"', "device may include core only"),
    ("src/solver/mpm/a.c", '#include "solver/sph/sph.h"', "solver mpm includes solver sph"),
    ("src/solver/solver.h", '#include "solver/mpm/mpm.h"', "interface includes a solver"),
    ("src/output/a.c", '#include "solver/mpm/mpm.h"', "must not know which solver runs"),
    ("src/sim/a.c", '#include "solver/mpm/mpm.h"', "must not know which solver runs"),
    ("src/solver/shared/a.c", '#include "solver/mpm/mpm.h"', "solver shared includes solver mpm"),
    ("src/output/a.c", '#include "render/film.h"', "output (layer 7) includes render/film.h"),
    ("src/scene/a.c", '  #  include "sim/sim.h"', "scene (layer 5) includes sim/sim.h"),
    ("src/core/a.c", '#include "log.h"', "needs its folder"),
    ("src/core/a.c", '#include "kore/log.h"', "no folder of src/ is called kore"),
    ("src/misc/a.c", '#include "core/log.h"', "has no layer"),
    ("include/firn/a.h", '#include "core/log.h"', "a public header includes"),
    ("app/cli/a.c", '#include "core/log.h"', "app/ includes core/log.h"),
    ("samples/step1.c", '#include "sim/sim.h"', "samples/ includes sim/sim.h"),
    ("test/core/test_nothing.c", "", "mirrors no source"),
    ("src/core/a.c", "\n" * 401, "more than 400"),
    ("src/core/a.c", f"// {REASON} of a table.\n" + "\n" * 801, "more than 800"),
    ("src/core/a.c", f"// {REASON} of a table.\n" + "\n" * 500, None),
    ("src/core/a.c", '#include "firn/types.h"\n#include "core/b.h"\n#include <math.h>', None),
    ("src/solver/mpm/a.c", '#include "solver/solver.h"\n#include "solver/mpm/b.h"\n#include "solver/shared/d.h"\n#include "state/c.h"', None),
    ("src/output/a.c", '#include "solver/solver.h"', None),
    ("src/solver/registry.c", '#include "solver/mpm/mpm.h"', None),
    ("src/sim/a.c", '#include "output/frame/frame.h"\n#include "render/film.h"\n#include "build_info.h"', None),
    ("app/cli/a.c", '#include "firn/firn.h"\n#include "cli/options.h"\n#include "options.h"', None),
    ("test/solver/mpm/test_mpm_transfer.c", '#include "solver/mpm/mpm.h"', None),
    ("test/golden/test_drop.c", '#include "sim/sim.h"', None),
]


def self_test():
    failures = 0
    for path, text, expected in CASES:
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, os.path.dirname(path)))
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text + "\n")
            errors = check_tree(root).errors
        good = not errors if expected is None else len(errors) == 1 and expected in errors[0]
        if not good:
            failures += 1
            print(f"self-test: {path}: expected {expected!r}, got {errors}")
    print(f"self-test: {len(CASES)} cases, {failures} failed")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    report = check_tree(root)
    for text in report.warnings + report.errors:
        print(text)
    print(f"{len(report.errors)} errors, {len(report.warnings)} warnings")
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main())
