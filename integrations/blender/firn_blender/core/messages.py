# SPDX-License-Identifier: MIT
"""Messages of firn, and the object that each of them is about."""
import dataclasses
import json
import os
import re

# scene.yaml:5:43: error: text
LOCATED = re.compile(r"^(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?: "
                     r"(?P<severity>error|warning): (?P<text>.*)$")
PLAIN = re.compile(r"^firn: (?P<severity>error|warning): (?P<text>.*)$")
NUMBERED = re.compile(r"\b(?P<list>collider|snow|emitter) (?P<number>\d+)\b")


@dataclasses.dataclass
class Message:
    severity: str      # error, warning
    text: str
    owner: str = ""    # name of an object of Blender; '': the simulation
    line: int = 0      # of the scene file


class Owners:
    """Who owns the lines of a scene, its files, and its colliders by number."""

    def __init__(self, scene_path, lines, files=None, colliders=()):
        self.scene = os.path.basename(scene_path)
        self.lines = lines
        self.files = {os.path.basename(name): owner for name, owner in (files or {}).items()}
        self.colliders = list(colliders)

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"scene": self.scene, "lines": self.lines, "files": self.files,
                       "colliders": self.colliders}, file)

    @classmethod
    def load(cls, path):
        try:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
            return cls(data["scene"], data["lines"], data["files"], data["colliders"])
        except (OSError, ValueError, KeyError):
            return cls("", [])

    def of(self, file, line, text):
        if os.path.basename(file) == self.scene and 1 <= line <= len(self.lines):
            if self.lines[line - 1]:
                return self.lines[line - 1]
        for name, owner in self.files.items():
            if name == os.path.basename(file) or name in text:
                return owner
        return ""

    def named(self, text):
        """'collider 1' becomes 'collider 1 (Cube)': firn counts colliders from 0."""
        def replace(match):
            number = int(match["number"])
            if match["list"] != "collider" or number >= len(self.colliders):
                return match[0]
            return f"{match[0]} ({self.colliders[number]})"
        return NUMBERED.sub(replace, text)

    def message(self, severity, text, file="", line=0):
        shown = self.named(text).replace("to start over, use --overwrite", "Bake starts over")
        return Message(severity, shown, self.of(file, line, text), line)


def from_check(answer, owners):
    """Messages of a line of `firn check --json`."""
    return [owners.message(item["severity"], item["text"], item.get("file") or "",
                           int(item.get("line") or 0)) for item in answer.get("messages", [])]


def from_stderr(text, owners):
    """Messages of what firn wrote to stderr. Lines that quote the scene, and progress, are left
    out; a line that continues a message is appended to it."""
    found = []
    for line in text.splitlines():
        located, plain = LOCATED.match(line), PLAIN.match(line)
        if located:
            found.append(owners.message(located["severity"], located["text"], located["file"],
                                        int(located["line"])))
        elif plain:
            found.append(owners.message(plain["severity"], plain["text"]))
    return found
