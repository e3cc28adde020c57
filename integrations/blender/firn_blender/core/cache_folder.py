# SPDX-License-Identifier: MIT
"""The folder of a cache of the add-on, and the files of each frame in it:

    FOLDER/scene.yaml, meshes/   what firn reads
    FOLDER/owners.json           objects of the scene's lines, for messages
    FOLDER/firn.log              what firn said
    FOLDER/run/                  the run: frames, ply/, vdb/, mesh/, pictures/
"""
import os
import re

NUMBER = re.compile(r"\.(\d{4,})\.(\w+)$")
KINDS = {"points": ("ply", "ply"), "volume": ("vdb", "vdb"), "mesh": ("mesh", "ply"),
         "frames": ("frames", "hdf"), "pictures": ("pictures", "png")}


class CacheFolder:
    def __init__(self, path):
        self.path = path
        self.scene = os.path.join(path, "scene.yaml")
        self.owners = os.path.join(path, "owners.json")
        self.log = os.path.join(path, "firn.log")
        self.meshes = os.path.join(path, "meshes")
        self.run = os.path.join(path, "run")

    def has_run(self):
        return os.path.exists(os.path.join(self.run, "manifest.json"))

    def files(self, kind):
        """{frame: path} of what has been written so far."""
        folder, ending = KINDS[kind]
        folder = os.path.join(self.run, folder)
        found = {}
        try:
            names = os.listdir(folder)
        except OSError:
            return found
        for name in names:
            match = NUMBER.search(name)
            if match and match[2] == ending:
                found[int(match[1])] = os.path.join(folder, name)
        return found

    def file(self, kind, frame):
        """The path of one frame, or of the nearest one before it; None where there is none."""
        files = self.files(kind)
        if frame in files:
            return files[frame]
        before = [number for number in files if number <= frame]
        return files[max(before)] if before else None

    def last_frame(self):
        return max(self.files("frames"), default=-1)
