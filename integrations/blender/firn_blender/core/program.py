# SPDX-License-Identifier: MIT
"""The program firn: where it is, and questions that it answers at once."""
import json
import os
import shutil
import subprocess


class ProgramError(Exception):
    """firn is missing or does not run. The text says what to do."""


def find(path=""):
    """Path of the program: `path`, $FIRN, or the one on the PATH."""
    wanted = os.path.expanduser(path) or os.environ.get("FIRN", "")
    if wanted:
        if os.path.isfile(wanted) and os.access(wanted, os.X_OK):
            return os.path.abspath(wanted)
        raise ProgramError(f"'{wanted}' is not a program: set the path of firn in the preferences "
                           "of the add-on")
    found = shutil.which("firn")
    if not found:
        raise ProgramError("firn is not installed: build it, and set its path "
                           "(build/release/bin/firn) in the preferences of the add-on, or in $FIRN")
    return found


def ask(program, *arguments):
    """Lines of JSON that a command prints."""
    try:
        done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True,
                              timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProgramError(f"'{program}' does not run: {error}") from error
    if done.returncode != 0:
        raise ProgramError(f"'{program} {' '.join(arguments)}' failed: {done.stderr.strip()}")
    try:
        return [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError as error:
        raise ProgramError(f"'{program}' is not firn: {error}") from error


def presets(program):
    """Presets by name, each with 'help' and constants."""
    return {row["name"]: row for row in ask(program, "presets")}


def version(program):
    return ask(program, "version")[0]


def backends(program):
    """What may compute: cpu, and the GPUs of this machine."""
    return ["cpu"] + [row["backend"] for row in version(program)["devices"]]
