# SPDX-License-Identifier: MIT
"""Commands of firn that run one after the other in the background: check, run, export, render.
`poll` moves on and never waits."""
import os

from . import messages
from .process import INTERRUPTED, Process


class Step:
    def __init__(self, name, argv):
        self.name, self.argv = name, argv


class Bake:
    """`state`: 'running', then 'done', 'failed' or 'interrupted'."""

    def __init__(self, steps, folder, owners, detached=True):
        self.steps, self.folder, self.owners = list(steps), folder, owners
        self.detached = detached   # Ctrl-C in the terminal does not reach the commands
        self.state, self.messages = "running", []
        self.estimate = None       # the answer of `firn check`
        self.frame, self.frame_end, self.seconds_left = -1, -1, None
        self.end = None            # event "end" of the last command that has one
        self.process = None
        self.cancelled = False
        self.log = os.path.join(folder, "firn.log")
        self.next()

    @property
    def step(self):
        """Name of the command that runs."""
        return self.steps[0].name if self.steps else ""

    def next(self):
        try:
            self.process = Process(self.steps[0].argv, self.log, self.folder, self.detached)
        except OSError as error:
            self.state = "failed"
            self.messages.append(messages.Message("error", f"firn does not start: {error}"))

    def poll(self):
        """Read what has happened; whether the commands go on."""
        if self.state != "running":
            return False
        code = self.process.code  # first: what it wrote before it ended is read below
        for event in self.process.events():
            self.take(event)
        if code is not None:
            self.finish(code)
        return self.state == "running"

    def take(self, event):
        kind = event.get("event")
        if "messages" in event:
            self.estimate = event
            self.messages += messages.from_check(event, self.owners)
        elif kind == "frame":
            self.frame, self.frame_end = event["frame"], event["frame_end"]
            self.seconds_left = event.get("seconds_left")
        elif kind == "picture":
            self.frame, self.frame_end = event["done"], event["wanted"]
            self.seconds_left = event.get("seconds_left")
        elif kind == "end":
            self.end = event

    def finish(self, code):
        errors = self.process.errors()
        self.process.close()
        if self.step != "check":  # its messages are in its answer
            known = {(m.severity, m.text) for m in self.messages}
            self.messages += [m for m in messages.from_stderr(errors, self.owners)
                              if (m.severity, m.text) not in known]
        if self.step == "check" and code == 0 and self.estimate is None:
            self.state = "failed"
            text = f"'{self.steps[0].argv[0]}' is not firn: it does not answer"
            self.messages.append(messages.Message("error", text))
        elif code == INTERRUPTED or (self.cancelled and code != 0):
            self.state = "interrupted"
        elif code != 0:
            self.state = "failed"
            if not any(m.severity == "error" for m in self.messages):
                text = errors.strip().splitlines()[-1:] or [f"exit code {code}"]
                self.messages.append(messages.Message("error", f"firn {self.step}: {text[0]}"))
        else:
            self.steps.pop(0)
            if not self.steps:
                self.state = "done"
            elif self.cancelled:
                self.state = "interrupted"
            else:
                self.next()

    def cancel(self):
        """Stop after the present step of the simulation; `poll` tells when it has stopped."""
        self.cancelled = True
        if self.state == "running":
            self.process.interrupt()


def check_step(program, scene, options):
    argv = [program, "check", scene, "--json"]
    if options.get("threads"):
        argv += ["--threads", str(options["threads"])]
    if options.get("memory"):
        argv += ["--memory", options["memory"]]
    return Step("check", argv)


def bake_steps(program, files, options):
    """Steps that simulate. files: scene, run (folder); options: backend, threads, memory, resume,
    overwrite, mesh."""
    run = [program, "run", files["scene"], "-o", files["run"], "--json"]
    if options.get("backend") not in (None, "", "cpu"):
        run += ["--backend", options["backend"]]
    if options.get("threads"):
        run += ["--threads", str(options["threads"])]
    if options.get("memory"):
        run += ["--memory", options["memory"]]
    run += ["--resume"] if options.get("resume") else []
    run += ["--overwrite"] if options.get("overwrite") else []
    steps = [check_step(program, files["scene"], options), Step("run", run)]
    if options.get("mesh"):
        steps.append(Step("mesh", [program, "export", files["run"], "--to", "mesh"]))
    return steps
