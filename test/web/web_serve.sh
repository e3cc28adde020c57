#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
exec /usr/bin/python3 "$FIRN_SOURCE_DIR/test/web/web_serve.py"
