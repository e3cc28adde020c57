# SPDX-License-Identifier: MIT
"""Plays the animation once, and keeps the motion of colliders and of the camera."""
import os

import numpy as np

from ..core import mesh_files, motion
from . import evaluate


class Track:
    """An object over time. `matrices` [frames][4][4]; `cache` is its point cache, where the object
    deforms; `sequence` the pattern of numbered meshes, where it also changes its triangles."""

    def __init__(self, obj, folder, stem, unit, thickness):
        self.obj, self.unit, self.thickness = obj, unit, thickness
        self.base = os.path.join(folder, stem)
        self.matrices = []
        mode = obj.firn.motion
        self.deforms = obj.firn.shape == "MESH" and (
            mode == "DEFORMING" or (mode == "AUTO" and evaluate.may_deform(obj)))
        self.moves = mode != "STATIC" and not obj.firn.dynamic
        self.points = self.corners = None   # at the first frame, in the object's coordinates
        self.changed = self.deforms and mode == "DEFORMING"
        self.resized = False
        self.cache = None

    def world(self, points, corners, matrix):
        """Points and triangles in firn's world."""
        placed = motion.world_points(points, matrix, self.unit)
        corners = evaluate.outward(corners, matrix)
        if self.thickness > 0:
            return mesh_files.thicken(placed, corners, self.thickness * self.unit)
        return placed, corners

    def first(self, depsgraph):
        self.matrices.append(evaluate.matrix(self.obj, depsgraph))
        self.points, self.corners = evaluate.triangles(self.obj, depsgraph)

    def record_points(self, depsgraph, frame, frames):
        points, corners = evaluate.triangles(self.obj, depsgraph)
        if not np.array_equal(corners, self.corners):
            self.resized = True
        elif np.abs(points - self.points).max() > 1e-6 * max(1, float(np.abs(points).max())):
            self.changed = True
        placed, corners = self.world(points, corners, self.matrices[-1])
        if frame == 0:
            mesh_files.write_ply(self.base + ".ply", placed, corners)
            self.cache = mesh_files.PointCache(self.base + ".pc2", len(placed), frames)
        if self.resized:
            self.to_sequence()
            mesh_files.write_ply(f"{self.base}.{frame:04d}.ply", placed, corners)
        else:
            self.cache.add(placed)

    def to_sequence(self):
        """Write the frames so far as numbered meshes, because one with other triangles follows."""
        if self.cache is None:
            return
        _, corners = self.world(self.points, self.corners, self.matrices[0])
        for frame, placed in enumerate(self.cache.samples()):
            mesh_files.write_ply(f"{self.base}.{frame:04d}.ply", placed, corners)
        self.cache.discard()
        self.cache = None

    def finish(self):
        """Keep the point cache if it is needed."""
        if self.cache is not None and self.changed:
            self.cache.close()
        elif self.cache is not None:
            self.cache.discard()

    def stretch(self):
        """Make a point cache of an object whose matrices stretch it, but nothing else."""
        cache = None
        for matrix in self.matrices:
            placed, corners = self.world(self.points, self.corners, matrix)
            if cache is None:
                mesh_files.write_ply(self.base + ".ply", placed, corners)
                cache = mesh_files.PointCache(self.base + ".pc2", len(placed), len(self.matrices))
            cache.add(placed)
        cache.close()

    @property
    def kind(self):
        """'static', 'animated', 'deforming' or 'changing' (its triangles, too)."""
        if not self.moves:
            return "static"
        if self.deforms and self.resized:
            return "changing"
        if self.deforms and self.changed:
            return "deforming"
        return "static" if motion.is_still(self.matrices) else "animated"


def play(scene, tracks, others, first, last, depsgraph_of, progress):
    """Sets every frame from `first` to `last`, and lets tracks and `others` (functions of the
    depsgraph and the frame's number from 0) look at it. The present frame is restored."""
    before, sub = scene.frame_current, scene.frame_subframe
    frames = last - first + 1
    try:
        for k in range(frames):
            scene.frame_set(first + k)
            depsgraph = depsgraph_of()
            for track in tracks:
                if k == 0:
                    track.first(depsgraph)
                elif track.moves:
                    track.matrices.append(evaluate.matrix(track.obj, depsgraph))
                if track.moves and track.deforms:
                    track.record_points(depsgraph, k, frames)
            for other in others:
                other(depsgraph, k)
            progress(k / frames)
        for track in tracks:
            track.finish()
    finally:
        scene.frame_set(before, subframe=sub)
