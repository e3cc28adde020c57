#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the dynamic sections of programs and shared libraries, and refuses what is unsafe: a search
path with an entry that is not absolute (an empty one is the current folder), a stack that may be
executed; and, in what firn itself builds, addresses that stay writable after the start, a program
at a fixed address, code without stack protector.

usage: tools/check_binaries.py [--foreign | --release] PATH…   folders are searched for ELF files
--foreign: libraries of others, of which only search paths are checked
--release: built by the optimiser without sanitizers, so that sizes of copies and, on x86-64, the
ends of indirect jumps must be checked, too. (That the processor enforces the latter takes start-up
files of the C library with the same mark, which Debian's have not.)"""
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


LARGE = 1e6   # [bytes] a program of a few functions may have no array that the compiler would guard
MARKS = 500   # of jumps' ends in a large program; firn's smallest library has 2000
ENDBR64 = b"\xf3\x0f\x1e\xfa"


def has_marks(name):
    """Whether indirect jumps have marked ends; also where the processor has no such marks."""
    with open(name, "rb") as file:
        data = file.read()
    return data[18:20] != b"\x3e\x00" or data.count(ENDBR64) >= MARKS


def complaints(name, foreign, release):
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
    if os.path.getsize(name) < LARGE:
        return
    symbols = readelf("--dyn-syms", name)
    if "__stack_chk_fail" not in symbols:
        yield "it has no stack protector (-fstack-protector-strong)"
    if release and not re.search(r"__(mem|str|v?s)\w+_chk\b", symbols):
        yield "sizes of copies are not checked (-D_FORTIFY_SOURCE=2)"
    if release and not has_marks(name):
        yield "indirect jumps may end anywhere (-fcf-protection=full)"


def main(arguments):
    foreign, release = arguments[:1] == ["--foreign"], arguments[:1] == ["--release"]
    paths = arguments[1:] if foreign or release else arguments
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    names = [name for path in paths for name in elf_files(path)]
    if not names:
        print(f"check_binaries: no program or shared library in {' '.join(paths)}", file=sys.stderr)
        return 1
    bad = 0
    for name in names:
        for complaint in complaints(name, foreign, release):
            print(f"{name}: {complaint}")
            bad += 1
    print(f"check_binaries: {len(names)} files, {bad} complaints")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
