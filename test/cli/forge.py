"""Forges the manifest of a run, with a checksum that fits, as an attacker would.

forge.py DIR OLD NEW       replaces the text OLD by NEW
forge.py DIR add KIND FRAME FILE [SOURCE]   lists FILE, with size and checksum of DIR/FILE or SOURCE
"""
import json
import os
import sys

M = (1 << 64) - 1
P = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
     2870177450012600261)


def rotate(x, r):
    return ((x << r) | (x >> (64 - r))) & M


def round_of(lane, value):
    return rotate((lane + value * P[1]) & M, 31) * P[0] & M


def xxh64(data):
    """XXH64 with seed 0, after its specification."""
    at = 0
    if len(data) >= 32:
        lanes = [(P[0] + P[1]) & M, P[1], 0, -P[0] & M]
        while at + 32 <= len(data):
            for k in range(4):
                lanes[k] = round_of(lanes[k], int.from_bytes(data[at:at + 8], "little"))
                at += 8
        h = sum(rotate(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18))) & M
        for lane in lanes:
            h = ((h ^ round_of(0, lane)) * P[0] + P[3]) & M
    else:
        h = P[4]
    h = (h + len(data)) & M
    while at + 8 <= len(data):
        h ^= round_of(0, int.from_bytes(data[at:at + 8], "little"))
        h = (rotate(h, 27) * P[0] + P[3]) & M
        at += 8
    if at + 4 <= len(data):
        h = (rotate(h ^ int.from_bytes(data[at:at + 4], "little") * P[0] & M, 23) * P[1] + P[2]) & M
        at += 4
    for byte in data[at:]:
        h = rotate(h ^ byte * P[4] & M, 11) * P[0] & M
    h = (h ^ h >> 33) * P[1] & M
    h = (h ^ h >> 29) * P[2] & M
    return h ^ h >> 32


def main():
    folder, what = sys.argv[1:3]
    path = os.path.join(folder, "manifest.json")
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    body = text[:text.rindex('"checksum": ')]
    if what == "add":
        kind, frame, name = sys.argv[3:6]
        source = sys.argv[6] if len(sys.argv) > 6 else os.path.join(folder, name)
        with open(source, "rb") as file:
            data = file.read()
        entry = (f'{{"kind": "{kind}", "frame": {frame}, "file": {json.dumps(name)}, '
                 f'"bytes": {len(data)}, "checksum": "{xxh64(data):016x}"}}')
        end = body.rindex("\n],\n")
        body = body[:end] + ",\n" + entry + body[end:]
    else:
        assert what in body, f"'{what}' is not in the manifest"
        body = body.replace(what, sys.argv[3])
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(f'{body}"checksum": "{xxh64(body.encode()):016x}"\n}}\n')


main()
