#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""RELIABILITY.md, or another page like it, tells the truth about its tests: every row of its tables of
promises ends in a column that names tests in backquotes, which are registered in a tests.cmake, or
commands of tools/, which exist; or it says "no test".

usage: tools/check_reliability.py [FILE]"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REGISTERED = re.compile(r"firn_(?:test\(\S+|script_test\(|command_test\(|replay_test\()\s*(\w[\w.-]*)")


def registered_tests():
    names = set()
    for folder, _, files in os.walk(os.path.join(ROOT, "test")):
        if "tests.cmake" in files:
            with open(os.path.join(folder, "tests.cmake"), encoding="utf-8") as file:
                names.update(REGISTERED.findall(file.read()))
    return names


def complaints(lines, tests):
    """(line number, text) of each row of a table of promises that names no test, or a false one."""
    promises = False
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            promises = False
        elif cells[-1] == "held by":
            promises = True
        elif promises and not set(line) <= set("|-: \n"):
            named = re.findall(r"`([^`]+)`", cells[-1])
            if not named and "no test" not in cells[-1]:
                yield number, f"names no test and does not say so: {cells[0]}"
            for name in named:
                word = name.split()[0]
                # tests made in a loop end in its variable: random_scenes_${solver}
                known = word in tests or word.rpartition("_")[0] + "_" in tests
                if not known and not os.path.exists(os.path.join(ROOT, word)):
                    yield number, f"names `{name}`, which is neither a test nor a command"


def main(arguments):
    path = arguments[0] if arguments else os.path.join(ROOT, "RELIABILITY.md")
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    if not any(line.rstrip().endswith("held by |") for line in lines):
        print(f"{path}: there is no table of promises")
        return 1
    found = list(complaints(lines, registered_tests()))
    for number, text in found:
        print(f"{path}:{number}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
