#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares state hashes: compare_hashes.py FIRN PAGE (or --expected) runs the same scenes with
`firn run --simd baseline` and with the page's module in node. Floating-point operations of
WebAssembly round as those of SSE2, and neither fuses: the hashes must be equal."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCENES = os.path.join(HERE, "..", "..", "scenes")
# One of each solver and integrator; grains with heat, bodies with mass, noise and shells.
JOBS = [
    {"yaml": "demo/sphere-drop", "variant": "draft", "overrides": [], "frames": 3},
    {"yaml": "demo/weights", "variant": "draft", "overrides": ["grains.radius=0.16"], "frames": 3},
    {"yaml": "demo/melting", "variant": "draft", "overrides": ["grains.radius=0.14"], "frames": 2},
    {"yaml": "demo/first-scene", "variant": "", "overrides": ["mpm.cell=0.04"], "frames": 3},
    {"yaml": "demo/snowball-drop", "variant": "draft", "overrides": ["mpm.cell=0.03"], "frames": 4},
    {"yaml": "validation/impact", "variant": "",
     "overrides": ["mpm.cell=0.05", "mpm.integrator=explicit"], "frames": 2},
    {"yaml": "demo/loose-and-dense", "variant": "draft", "overrides": [], "frames": 2},
]


def native(firn, job):
    command = [firn, "run", job["yaml"], "--simd", "baseline", "--frames", str(job["frames"]),
               "-o", "run", "--overwrite", "--json", "--threads", "2",
               "--set", "output.preview=false"]
    if job["variant"]:
        command += ["--variant", job["variant"]]
    for override in job["overrides"]:
        command += ["--set", override]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event["event"] == "end":
            return event["state_hash"]
    sys.exit("no state hash")


def print_expected(firn):
    """For page_test.mjs: scenes with their texts and native hashes."""
    jobs = []
    for job in (JOBS[0], JOBS[3]):
        text = open(job["yaml"]).read()
        name = os.path.relpath(job["yaml"], SCENES)
        jobs.append(dict(job, name=name, hash=native(firn, job), yaml=text))
    print(json.dumps(jobs))


def main():
    firn, page = sys.argv[1:]
    for job in JOBS:
        job["yaml"] = os.path.join(SCENES, job["yaml"], "scene.yaml")
    if page == "--expected":
        print_expected(firn)
        return
    node = subprocess.run(["node", os.path.join(HERE, "hashes.mjs"), page], input=json.dumps(JOBS),
                          stdout=subprocess.PIPE, text=True, check=True)
    wrong = 0
    for job, there in zip(JOBS, node.stdout.split(), strict=True):
        here = native(firn, job)
        print(here, there, "equal" if here == there else "DIFFERENT",
              os.path.relpath(job["yaml"], SCENES))
        wrong += here != there
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
