# SPDX-License-Identifier: MIT
"""What can be chosen depends on the program: presets and backends, asked once."""
from ..core import program
from . import preferences

known = {}


def ask(what, question):
    """The answer of firn to a question, kept until its path changes; None where firn is missing."""
    try:
        path = program.find(preferences.program_path())
        if (what, path) not in known:
            known[what, path] = question(path)
        return known[what, path]
    except program.ProgramError:
        return None


def presets():
    return ask("presets", program.presets) or {}


def backends():
    return ask("backends", program.backends) or ["cpu"]


def search_presets(self, context, text):
    return [name for name in presets() if text.lower() in name.lower()]


def search_backends(self, context, text):
    return [name for name in backends() if text.lower() in name.lower()]
