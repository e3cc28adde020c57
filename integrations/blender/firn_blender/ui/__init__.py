# SPDX-License-Identifier: MIT
"""Properties, operators and panels."""
