# SPDX-License-Identifier: MIT
"""Runs the Python blocks of a document from top to bottom, in one namespace and one folder.

usage: run_blocks.py DOCUMENT"""
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
namespace = {"__name__": "__main__"}
blocks = [(text.count("\n", 0, m.start()) + 1, m[1])
          for m in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S)]
if not blocks:
    sys.exit("there are no Python blocks in the document")
for line, block in blocks:
    # as many lines before it as the document has, so that tracebacks name the document's line
    exec(compile("\n" * line + block, sys.argv[1], "exec"), namespace)
print(f"{len(blocks)} blocks of {sys.argv[1]} ran")
