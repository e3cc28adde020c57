#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the dynamic sections of programs and shared libraries, and refuses what is unsafe: a search
path with an entry that is not absolute (an empty one is the current folder), a stack that may be
executed; and, in what firn itself builds, addresses that stay writable after the start, a program
at a fixed address, code without stack protector.

usage: tools/check_binaries.py [--foreign] PATH…   folders are searched for ELF files
--foreign: libraries of others, of which only search paths are checked"""
import os
import re
import subprocess
import sys


def elf_files(path):
    """Every ELF program or shared library at or under a path; links are what they point to."""
    names = [path]
    if os.path.isdir(path):
        names = sorted(os.path.join(folder, name) for folder, _, files in os.walk(path) for name in files)
    for name in names:
        if os.path.islink(name) or not os.path.isfile(name):
            continue
        with open(name, "rb") as file:
            start = file.read(18)
        if start[:4] == b"\x7fELF" and start[16] in (2, 3):  # a program, or a shared object
            yield name


def readelf(option, name):
    return subprocess.run(["readelf", "-W", option, name], check=True, capture_output=True, text=True,
                          env=dict(os.environ, LC_ALL="C")).stdout


def complaints(name, foreign):
    dynamic = readelf("-d", name)
    for kind, value in re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
        for entry in value.split(":"):
            if not entry.startswith("/") and not entry.startswith("$ORIGIN"):
                yield f"{kind} '{value}' has the entry '{entry}', which depends on the current folder"
    if foreign:
        return
    segments = readelf("-l", name)
    if re.search(r"GNU_STACK .*RWE", segments) or "GNU_STACK" not in segments:
        yield "its stack may be executed (-z noexecstack)"
    if "GNU_RELRO" not in segments:
        yield "its tables of addresses stay writable (-z relro)"
    if not re.search(r"\((BIND_NOW|FLAGS)\).*BIND_NOW|FLAGS_1.*NOW", dynamic):
        yield "its addresses are resolved late (-z now)"
    if "Elf file type is EXEC" in segments:
        yield "it is loaded at a fixed address (-pie)"
    # A program of a few functions may have no array that the compiler would guard.
    if os.path.getsize(name) > 1e6 and "__stack_chk_fail" not in readelf("--dyn-syms", name):
        yield "it has no stack protector (-fstack-protector-strong)"


def main(arguments):
    foreign = arguments[:1] == ["--foreign"]
    paths = arguments[1:] if foreign else arguments
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    names = [name for path in paths for name in elf_files(path)]
    if not names:
        print(f"check_binaries: no program or shared library in {' '.join(paths)}", file=sys.stderr)
        return 1
    bad = 0
    for name in names:
        for complaint in complaints(name, foreign):
            print(f"{name}: {complaint}")
            bad += 1
    print(f"check_binaries: {len(names)} files, {bad} complaints")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
