# SPDX-License-Identifier: MIT
"""One command of firn in the background. It writes to files, which are read when somebody asks:
nothing here waits, and the command survives a crash of Blender."""
import json
import os
import shlex
import signal
import subprocess

INTERRUPTED = 130  # exit code after SIGINT


class Process:
    """Started at once. `log` gets stderr, `log`.jsonl what the command prints. Ctrl-C in the
    terminal interrupts it too, unless it is `detached`."""

    def __init__(self, argv, log, folder, detached=True):
        self.argv, self.log = list(argv), log
        os.makedirs(os.path.dirname(log), exist_ok=True)
        with open(log, "ab") as errors:
            errors.write(f"$ {shlex.join(self.argv)}\n".encode("utf-8", "surrogateescape"))
            self.log_start = errors.tell()
            with open(log + ".jsonl", "wb") as answers:
                self.process = subprocess.Popen(self.argv, stdin=subprocess.DEVNULL, cwd=folder,
                                                stdout=answers, stderr=errors,
                                                start_new_session=detached)
        self.answers = open(log + ".jsonl", "rb")
        self.rest = b""
        self.interrupted = False

    def events(self):
        """Objects printed since the last call."""
        *lines, self.rest = (self.rest + self.answers.read()).split(b"\n")
        found = []
        for line in lines:
            try:
                found.append(json.loads(line))
            except ValueError:
                pass  # not ours: a library wrote to stdout
        return found

    @property
    def code(self):
        """Exit code; None while it runs."""
        return self.process.poll()

    def wait(self, seconds):
        """Wait at most so long; whether it has ended."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def interrupt(self):
        """As Ctrl-C, once: firn finishes the step, saves its state and exits with code 130. A
        second signal would end it at once."""
        if not self.interrupted and self.process.poll() is None:
            self.interrupted = True
            self.process.send_signal(signal.SIGINT)

    def errors(self):
        """What it wrote to stderr."""
        with open(self.log, "rb") as file:
            file.seek(self.log_start)
            return file.read().decode("utf-8", "replace")

    def close(self):
        self.answers.close()
