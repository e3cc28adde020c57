#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks what STYLE.md says about structure: which folder may include which, how many files see a header,
how long files and functions may be, how many files a folder may have, that tests mirror sources,
that no path has a buffer of fixed size, and that every file named in a comment or a document exists.

    tools/check_layers.py [ROOT]       prints file:line: error: … ; status 1 when there are errors
    tools/check_layers.py --seen       lists how many files see each header of src/
    tools/check_layers.py --self-test  checks small trees with one mistake each
"""
import collections
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
    "bodies": 5,
    "scene": 6,
    "solver": 7,
    "output": 8, "render": 8, "sim": 8,
    "run": 9,
}
# Stricter than the number.
ONLY = {"device": {"core"}, "physics": {"math"}}
# These use the interface of solvers, and must not depend on a particular solver.
NO_SOLVER = {"output", "render", "run", "sim"}
# The folder of src/solver that all solvers use.
SHARED = "shared"
# Outside src/: these see include/firn and their own folder.
CLIENTS = ("app", "python", "samples", "bench", "web")
# Folders of test/ that mirror nothing in src/.
EXTRA_TESTS = {"backend", "blender", "cli", "compile", "fuzz", "golden", "install", "layers", "mpi",
               "python", "scenes", "validation", "viewer", "web"}

SOURCE = (".c", ".h", ".cc", ".hh", ".cu", ".cuh")
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')
FILE_LINES = 400
FILE_LINES_WITH_REASON = 800
REASON = "Longer than 400 lines because"
FUNCTION_LINES = 60
FOLDER_FILES = 34  # of src/ and app/: a listing should read like a table of contents

# How many files of src/ and app/ may see a header of src/, directly or through others: a share [%] of
# all of them, so that a new file of a new feature needs no other bound; SEEN_MAX in a small tree.
SEEN_MAX = 150
SEEN_SHARE = 11
# The basics, each with its own share: some 7 % above the number at the time of writing.
SEEN_BASIC = {
    76: ("core/result.h",),
    69: ("math/shared.h",),
    63: ("math/vec3.h",),
    47: ("math/mat3.h",),
    45: ("math/elementary.h",),
    40: ("math/box3.h",),
    36: ("math/quat.h",),
    33: ("state/particles.h",),
    31: ("geometry/sdf/shape.h",),
    26: ("core/memory.h",),
    23: ("core/log.h",),
    22: ("geometry/deform/deform_pose.h", "scene/run/seed.h",),
    21: ("geometry/motion/motion.h", "scene/data/gusts.h", "solver/solver.h",),
    20: ("geometry/collider/collider.h", "geometry/collider/look.h",),
    19: ("scene/data/render_block.h",),
    18: ("core/threads/team.h", "geometry/levelset/level_set.h",),
    17: ("physics/snow_material.h",),
    16: ("core/simd/lanes.h", "core/simd/lanes_one.h", "core/simd/lanes_real.h",
         "core/simd/lanes_vector.h", "math/time_keys.h", "scene/data/gravity.h",
         "scene/data/temperature.h",),
    15: ("core/sort_keys.h", "geometry/sdf/phi.h", "geometry/sdf/primitives.h",
         "scene/data/air.h", "scene/data/output_block.h", "scene/data/scene.h",),
    14: ("core/simd/vec4.h", "geometry/deform/velocity_grid.h",
         "geometry/levelset/level_set_sample.h", "geometry/sdf/evaluate.h",
         "geometry/sdf/height_field.h", "solver/shared/loads.h",),
    13: ("geometry/deform/deform_sample.h", "math/random.h", "scene/run/cull.h",
         "solver/shared/base.h", "solver/shared/fields.h",),
    12: ("geometry/collider/collider_sample.h", "math/mat3_lanes.h", "solver/shared/stages.h",),
}
SEEN_SHARES = {header: share for share, headers in SEEN_BASIC.items() for header in headers}

# Paths may be as long as the system accepts, and a buffer of fixed size cuts them: core/paths.h prints
# them. An array of characters is taken for a path by its name, by its size, or because it is long
# and not called one of these.
CHARACTERS = re.compile(r"(?<![\w*])char\s+([^;(){}=]*\[[^;(){}=]*)")
ARRAY = re.compile(r"^\s*(\w+)\s*\[([^\]]+)\]")
PATH_NAME = re.compile(r"(?:^|_)(?:path|folder|dir|directory|temporary|root|home)s?$")
LONG = 1000  # [bytes]
LONG_TEXTS = {"all", "buffer", "line", "log", "message", "text"}
# Public structs with room for any path.
PATH_FIELDS = {("include/firn/run.h", "first[4096]"), ("include/firn/run.h", "film[4096]")}

# Files that are named in a comment or a document: with these endings, and not part of a pattern
# (`stepNN_<what>.c`, `*_keys.c`, `file.{h,c}` is two names).
NAMED = re.compile(r"(?<![\w./<>{}*%-])((?:[A-Za-z0-9_.-]+/)*[A-Za-z0-9_][A-Za-z0-9_.-]*\."
                   r"(?:\{[a-z,]+\}|(?:c|h|cc|hh|cu|cuh|py|sh|md|cmake)(?![\w*{-])(?!\.\w)))")
# Files that others or the build make: system headers, generated sources, examples of names.
OTHERS = {"build_info.h", "math.h", "mine.c", "resume.sh", "shaders.c", "vtkCellType.h"}
# Documents that describe the files of other projects, from a heading up to the next one.
OTHERS_SECTIONS = {"STYLE.md": ("## 1.", "## 13.")}


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
    """Inside src/solver: solvers see the interface and shared/, not each other."""
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
            report.error(path, line, f"a public header includes {included}: only firn/ is allowed there")
        return
    if target == "firn":
        return
    if parts[0] in CLIENTS:
        if target in LAYER:
            report.error(path, line, f"{parts[0]}/ includes {included}: it sees include/firn only")
        return
    folder = parts[1]
    if folder not in LAYER:
        report.error(path, line, f"src/{folder} has no layer: add it to STYLE.md and to {__file__}")
    elif target is None:
        if included not in ("build_info.h",) and not included.endswith(".inc"):
            own = "/".join(parts[1:-1])
            report.error(path, line, f'"{included}" needs its folder: "{own}/{included}"')
    elif target not in LAYER:
        report.error(path, line, f"{included}: no folder of src/ is called {target}")
    elif target == folder:
        if folder == "solver":
            check_solver_include(path, line, included, report)
    elif folder in ONLY and target not in ONLY[folder]:
        allowed = ", ".join(sorted(ONLY[folder]))
        report.error(path, line, f"{folder} may include {allowed} only, not {included}")
    elif folder in NO_SOLVER and target == "solver" and included.count("/") > 1 \
            and included.split("/")[1] != SHARED:
        report.error(path, line, f"{folder} includes {included}: it must not know the solver")
    elif LAYER[target] >= LAYER[folder]:
        report.error(path, line, f"{folder} (layer {LAYER[folder]}) includes {included} "
                                 f"(layer {LAYER[target]}): "
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


def check_paths(path, number, text, report):
    for match in CHARACTERS.finditer(text.split("//")[0]):
        for declared in match.group(1).split(","):
            array = ARRAY.match(declared)
            if not array or f"{array.group(1)}[{array.group(2)}]" in {
                    field for file, field in PATH_FIELDS if file == path}:
                continue
            name, size = array.groups()
            is_long = size.isdigit() and int(size) >= LONG and name not in LONG_TEXTS
            if PATH_NAME.search(name) or "PATH" in size or is_long:
                report.error(path, number, f"{name}[{size}] looks like a path of fixed size: print "
                                           "it with firn_path_print (core/paths.h)")


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
    names = [s + suffix for s in stems for suffix in SOURCE]
    if not any(os.path.exists(os.path.join(folder, name)) for name in names):
        source = "/".join(["src", *parts[1:-1], stem])
        report.error(path, 1, f"mirrors no source: there is no {source}.c or .h; "
                              f"a test of the folder as a whole is test_{parts[-2]}_{stem}.c")


def all_files(root):
    """Paths of the project's files, relative to root."""
    found = []
    for folder, subfolders, files in os.walk(root):
        skip = {"__pycache__", "node_modules"} | ({".git", "build", "shared"} if folder == root else set())
        subfolders[:] = sorted(s for s in subfolders if s not in skip)
        found += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(files)]
    return found


def headers_seen(texts):
    """For each header of src/: how many files of src/ and app/ include it, directly or not."""
    includes = {}
    for path, lines in texts.items():
        names = [match.group(1) for match in map(INCLUDE.match, lines) if match]
        includes[path] = [p for p in ("src/" + name for name in names) if p in texts]
    seen = collections.Counter()
    for path in texts:
        reached, stack = set(), [path]
        while stack:
            for target in includes[stack.pop()]:
                if target not in reached:
                    reached.add(target)
                    stack.append(target)
        seen.update(reached)
    return seen


def check_seen(texts, report):
    for path, count in sorted(headers_seen(texts).items()):
        share = SEEN_SHARES.get(path[len("src/"):], SEEN_SHARE)
        bound = max(SEEN_MAX, share * len(texts) // 100)
        if count > bound:
            report.error(path, 1, f"{count} files see this header, more than {bound}: split it by "
                                  "what its users need, or declare what a pointer needs")


def check_folders(files, report):
    count = collections.Counter(os.path.dirname(path) for path in files)
    for folder, number in sorted(count.items()):
        if folder.split("/")[0] in ("src", "app") and number > FOLDER_FILES:
            report.error(folder, 1, f"{number} files, more than {FOLDER_FILES}: make sub-folders")


def expand(name):
    """`step.{h,c}` is step.h and step.c."""
    stem, brace, endings = name.partition("{")
    return [stem + e for e in endings.rstrip("}").split(",")] if brace else [name]


def prose(path, lines):
    """The parts of a file that people read: Markdown as it is, comments of everything else."""
    mark = re.compile(r"(?:^|\s)//.*" if path.endswith(SOURCE) else r"(?:^|\s)#.*")
    others = False
    for number, text in enumerate(lines, 1):
        if path.endswith(".md"):
            if text.startswith("#"):
                others = text.startswith(OTHERS_SECTIONS.get(path, ()))
            if not others:
                yield number, text
        else:
            match = mark.search(text)
            if match:
                yield number, match.group(0)


def check_names(root, files, report):
    """A file that is named exists: the name is its path, or the end of it."""
    known = set()
    for path in files:
        parts = path.split("/")
        known.update("/".join(parts[i:]) for i in range(len(parts)))
    for path in files:
        name = os.path.basename(path)
        if not (path.endswith(SOURCE + (".md", ".py", ".sh", ".cmake"))
                or name == "CMakeLists.txt" or path.startswith("tools/")):
            continue
        try:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                lines = file.read().splitlines()
        except UnicodeDecodeError:
            continue
        for number, text in prose(path, lines):
            for match in NAMED.finditer(text):
                for named in expand(match.group(1)):
                    named = re.sub(r"^(\.{1,2}/)+", "", named)
                    if named not in known and named not in OTHERS and "NN" not in named:
                        report.error(path, number, f"names {named}, which does not exist")


def check_tree(root):
    report = Report()
    texts = {}
    for top in ("include", "src") + CLIENTS + ("test",):
        for path in source_files(root, top):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                lines = file.read().splitlines()
            if top in ("src", "app"):
                texts[path] = lines
            check_lengths(path, lines, report)
            if top == "test":
                check_test_place(root, path, report)
                continue
            for number, text in enumerate(lines, 1):
                match = INCLUDE.match(text)
                if match:
                    check_include(path, number, match.group(1), report)
                if top in ("include", "src", "app"):
                    check_paths(path, number, text, report)
    check_seen(texts, report)
    files = all_files(root)
    check_folders(files, report)
    check_names(root, files, report)
    return report


# For the self-test: one file per case, and a part of the error it must give (None: no error).
CASES = [
    ("src/core/a.c", '#include "math/vec3.h"', "core (layer 0) includes math/vec3.h"),
    ("src/state/a.c", '#include "geometry/sdf/shape.h"', "state (layer 3) includes geometry/sdf"),
    ("src/physics/a.h", '#include "core/log.h"', "physics may include math only"),
    ("src/device/a.h", '#include "math/vec3.h"', "device may include core only"),
    ("src/solver/mpm/a.c", '#include "solver/sph/sph.h"', "solver mpm includes solver sph"),
    ("src/solver/solver.h", '#include "solver/mpm/mpm.h"', "interface includes a solver"),
    ("src/output/a.c", '#include "solver/mpm/mpm.h"', "must not know the solver"),
    ("src/sim/a.c", '#include "solver/mpm/mpm.h"', "must not know the solver"),
    ("src/sim/a.c", '#include "output/frame/frame.h"', "sim (layer 8) includes output/frame/frame.h"),
    ("src/solver/shared/a.c", '#include "solver/mpm/mpm.h"', "solver shared includes solver mpm"),
    ("src/output/a.c", '#include "render/film.h"', "output (layer 8) includes render/film.h"),
    ("src/scene/a.c", '  #  include "sim/sim.h"', "scene (layer 6) includes sim/sim.h"),
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
    ("src/core/a.c", "char path[4096];", "path[4096] looks like a path"),
    ("app/cli/a.c", "    char name[20], out_dir[1024] = \"\";", "out_dir[1024] looks like a path"),
    ("src/core/a.h", "void join(const char* a, char out[PATH_MAX]);", "out[PATH_MAX] looks like"),
    ("src/core/a.c", "    char film[1400];", "film[1400] looks like a path"),
    ("src/core/a.c", 'char* path; char *paths[12], text[2000]; const char* const dirs[] = {"a"};\n'
     "// char path[10]\nunsigned char row[4096 * 2];", None),
    ("src/core/a.c", '#include "firn/types.h"\n#include "core/b.h"\n#include <math.h>', None),
    ("src/solver/mpm/a.c", '#include "solver/solver.h"\n#include "solver/mpm/b.h"\n'
     '#include "solver/shared/d.h"\n#include "state/c.h"', None),
    ("src/output/a.c", '#include "solver/solver.h"', None),
    ("src/solver/registry.c", '#include "solver/mpm/mpm.h"', None),
    ("src/run/a.c",
     '#include "output/frame/frame.h"\n#include "render/film.h"\n#include "build_info.h"', None),
    ("app/cli/a.c",
     '#include "firn/firn.h"\n#include "cli/options.h"\n#include "options.h"', None),
    ("test/solver/mpm/test_mpm_transfer.c", '#include "solver/mpm/mpm.h"', None),
    ("test/golden/test_drop.c", '#include "sim/sim.h"', None),
]


# The same for rules that need several files: what is checked, {path: text}, expected.
TREES = [
    ("a header that many see", {
        "src/core/wide.h": "#pragma once", "src/core/through.h": '#include "core/wide.h"',
        **{f"src/core/{'abcdef'[i % 6]}/{i}.c": '#include "core/through.h"'
           for i in range(SEEN_MAX)}}, "src/core/wide.h:1: error: 151 files see this header"),
    ("a header that few see", {
        "src/core/wide.h": "#pragma once", "src/core/through.h": '#include "core/wide.h"',
        **{f"src/core/{'abcdef'[i % 6]}/{i}.c": '#include "core/through.h"'
           for i in range(SEEN_MAX - 1)}}, None),
    ("a basic header", {
        "src/core/result.h": "#pragma once",
        **{f"src/core/{'abcdef'[i % 6]}/{i}.c": '#include "core/result.h"'
           for i in range(SEEN_MAX + 1)},
        **{f"src/math/{'abcdefgh'[i % 8]}/{i}.c": "" for i in range(100)}}, None),
    ("a full folder", {f"src/core/{i}.c": "" for i in range(FOLDER_FILES + 1)},
     "src/core:1: error: 35 files, more than 34"),
    ("names that exist", {
        "src/core/a.c": "// See core/b.h, `b.{h,c}`, ../docs/x.md and stepNN_<what>.c, *_keys.c.",
        "src/core/b.h": "", "src/core/b.c": '#include "core/b.h"  // as c.h does not',
        "docs/x.md": "", "src/core/c.h": ""}, None),
    ("a name in a comment", {"src/core/a.c": "int b;  // gone.h has it"}, "names gone.h"),
    ("a path in a comment", {"src/core/a.c": "// core/b.h", "src/math/b.h": ""},
     "names core/b.h, which does not exist"),
    ("one of two names", {"src/core/a.c": "// b.{h,c}", "src/core/b.h": ""}, "names b.c, which"),
    ("a name in a document", {"docs/a.md": "Read [this](gone.md)."},
     "docs/a.md:1: error: names gone.md"),
    ("a name in a build file", {"cmake/a.cmake": "x() " + "# gone.c"}, "names gone.c"),
    ("a name in a tool", {"tools/a": "# runs gone.py"}, "names gone.py"),
    ("files of other projects", {
        "STYLE.md": "## 1. Others\n`src/types.c`\n## 13. Avoid\n`hydro.h`"}, None),
    ("files of other projects elsewhere", {"STYLE.md": "## 2. Ours\n`src/types.c`"},
     "STYLE.md:2: error: names src/types.c"),
    ("code is no comment", {"src/core/a.c": 'const char* name = "gone.c";'}, None),
]


def self_test():
    failures = 0
    trees = [(path, {path: text}, expected) for path, text, expected in CASES] + TREES
    for name, files, expected in trees:
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text + "\n")
            errors = check_tree(root).errors
        good = not errors if expected is None else len(errors) == 1 and expected in errors[0]
        if not good:
            failures += 1
            print(f"self-test: {name}: expected {expected!r}, got {errors}")
    print(f"self-test: {len(trees)} cases, {failures} failed")
    return failures


def print_seen(root):
    texts = {}
    for top in ("src", "app"):
        for path in source_files(root, top):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                texts[path] = file.read().splitlines()
    for path, count in headers_seen(texts).most_common():
        print(f"{count:5} {path}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    if sys.argv[1:] == ["--seen"]:
        print_seen(here)
        return 0
    root = sys.argv[1] if len(sys.argv) > 1 else here
    report = check_tree(root)
    for text in report.warnings + report.errors:
        print(text)
    print(f"{len(report.errors)} errors, {len(report.warnings)} warnings")
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main())
