#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`firn web`: serves the files of a folder with the headers that threads need, and nothing else: no
links, no hidden files, nothing outside, no other host; survives hostile requests and ends on
SIGINT."""
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

FIRN = os.environ["FIRN"]
failures = 0


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def talk(port, request, wait=10):
    """Sends bytes, reads until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as s:
        try:
            s.sendall(request)
        except OSError:
            pass
        answer = b""
        try:
            while True:
                part = s.recv(65536)
                if not part:
                    break
                answer += part
        except OSError:
            pass
        return answer


def get(port, target, method="GET", host=None, more=""):
    host = host or f"127.0.0.1:{port}"
    return talk(port, f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode("latin-1"))


def status(answer):
    found = re.match(rb"HTTP/1\.1 (\d+) ", answer)
    return int(found[1]) if found else 0


def make_page():
    os.makedirs("page/gl/deep", exist_ok=True)
    os.makedirs("page/empty", exist_ok=True)
    open("page/index.html", "w").write("<p>snow</p>")
    open("page/gl/deep/a.js", "w").write("let a;")
    open("page/m.wasm", "wb").write(b"\0asm" + os.urandom(3000000))
    with open("page/large", "wb") as file:  # more than the kernel keeps for a slow client
        file.truncate(1 << 28)
    open("page/.hidden", "w").write("secret")
    open("page/with space.txt", "w").write("space")
    open("secret", "w").write("secret")
    os.symlink("../secret", "page/link")
    os.symlink("..", "page/up")
    os.mkfifo("page/pipe")


def start(*arguments):
    server = subprocess.Popen([FIRN, "web", *arguments, "--no-open"], stdout=subprocess.PIPE,
                              text=True)
    line = server.stdout.readline()
    return server, int(re.match(r"http://127\.0\.0\.1:(\d+)/", line)[1])


def check_files(port):
    answer = get(port, "/")
    check(status(answer) == 200 and answer.endswith(b"<p>snow</p>"), "the index")
    for header in (b"Cross-Origin-Opener-Policy: same-origin",
                   b"Cross-Origin-Embedder-Policy: require-corp",
                   b"Content-Type: text/html; charset=utf-8", b"X-Content-Type-Options: nosniff",
                   b"Content-Length: 11\r\n"):
        check(header in answer, header)
    check(b"Content-Type: text/javascript" in get(port, "/gl/deep/a.js"), "type of scripts")
    answer = get(port, "/m.wasm?x=1")
    check(b"Content-Type: application/wasm" in answer, "type of wasm")
    body = answer.split(b"\r\n\r\n", 1)[1]
    check(body == open("page/m.wasm", "rb").read(), "a large file is whole")
    check(get(port, "/with%20space.txt").endswith(b"space"), "escapes")
    head = get(port, "/", "HEAD")
    check(status(head) == 200 and head.endswith(b"\r\n\r\n"), "HEAD has no body")
    check(status(get(port, "/", host=f"LOCALHOST:{port}")) == 200, "localhost")


def check_refusals(port):
    for target in ("/../secret", "/%2e%2e/secret", "/..%2fsecret", "/gl/../../secret",
                   "/gl/%2e%2e/%2e%2e/secret", "//etc/passwd", "/link", "/up/secret", "/.hidden",
                   "/gl/./deep/a.js", "/empty", "/empty/", "/gl", "/nothing", "/pipe",
                   "/gl//deep/a.js", "/index.html/x", "/index.html/"):
        answer = get(port, target)
        check(status(answer) == 404 and b"secret" not in answer and b"root:" not in answer, target)
    for target in ("/%", "/%4", "/%zz", "/a%00b", "/a%0d%0aX: y", "/a\\b", "index.html", "*",
                   "http://127.0.0.1/", ""):
        check(status(get(port, target)) == 400, repr(target))
    check(status(get(port, "/" + "a" * 2000)) == 414, "a long path")
    check(status(get(port, "/", more="X: " + "y" * 9000 + "\r\n")) == 431, "long headers")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "get"):
        check(status(get(port, "/", method)) == 405, method)
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1",
                 f"127.0.0.1:{port}.evil.example", "", "x" * 300):
        request = f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
        check(status(talk(port, request)) == 403, f"host {host}")
    check(status(talk(port, b"GET / HTTP/1.1\r\n\r\n")) == 400, "no host")
    twice = f"Host: 127.0.0.1:{port}\r\n"
    check(status(talk(port, f"GET / HTTP/1.1\r\n{twice}{twice}\r\n".encode())) == 400, "two hosts")
    for junk in (b"\r\n\r\n", b" \r\n\r\n", b"GET\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/9\r\n\r\n",
                 b"\x16\x03\x01\x02\r\n\r\n", b"GET / HTTP/1.1\0\r\n\r\n"):
        check(status(talk(port, junk)) == 400, junk)


def check_crowd(port):
    """Silent clients do not keep others out for ever, and none is left behind."""
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
    begun = time.monotonic()
    check(status(get(port, "/")) == 200, "an answer in spite of a crowd")
    check(time.monotonic() - begun < 9, "silent clients are dropped in time")
    for s in silent:
        s.close()
    check_slow_readers(port)
    half = socket.create_connection(("127.0.0.1", port))
    half.sendall(f"GET /m.wasm HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    half.recv(10)
    half.close()  # in the middle of an answer
    check(status(get(port, "/")) == 200, "an answer after a client left")


def check_slow_readers(port):
    """Clients that take a large answer slowly enough to hold it, quickly enough to seem alive."""
    slow = []
    for _ in range(64):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        s.connect(("127.0.0.1", port))
        s.sendall(f"GET /large HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        s.settimeout(5)
        check(s.recv(10) == b"HTTP/1.1 2", "a slow client is served")
        slow.append(s)
    done = threading.Event()

    def trickle():
        while not done.wait(0.1):
            for s in slow:
                try:
                    s.recv(8192)
                except OSError:
                    pass

    reader = threading.Thread(target=trickle)
    reader.start()
    check(status(get(port, "/")) == 200, "an answer in spite of slow readers")
    done.set()
    reader.join()
    for s in slow:
        s.close()


def main():
    make_page()
    server, port = start("page", "--port", "0")
    check_files(port)
    check_refusals(port)
    check_crowd(port)
    files = len(os.listdir(f"/proc/{server.pid}/fd"))
    check(files < 16, f"{files} files are open at the end")
    again = subprocess.run([FIRN, "web", "page", "--port", str(port), "--no-open"],
                           capture_output=True, text=True)
    check(again.returncode == 3 and str(port) in again.stderr,
          "a port that is taken: " + again.stderr)
    server.send_signal(signal.SIGINT)
    check(server.wait(5) == 130, "SIGINT ends it")
    for folder, words in (("nowhere", "cannot be opened"), ("page/empty", "tools/web")):
        done = subprocess.run([FIRN, "web", folder, "--no-open"], capture_output=True, text=True)
        check(done.returncode == 3 and words in done.stderr,
              f"{folder}: {done.returncode} {done.stderr}")
    server, port = start("page")
    os.environ["FIRN_PAGE"] = "page"
    other, second = start()  # without a folder: that of FIRN_PAGE
    check(port != second and status(get(second, "/")) == 200, "two servers have two ports")
    for s in (server, other):
        s.terminate()
        check(s.wait(5) == 130, "SIGTERM ends it")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
