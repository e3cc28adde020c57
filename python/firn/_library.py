# SPDX-License-Identifier: MIT
"""The extension module, loaded when something of it is first used.

`import firn` loads no shared library: the logging library of Debian's OpenVDB starts threads as
soon as it is loaded, and programs that only import firn should not have them.
"""
from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        from . import _firn
    except ImportError as error:
        raise ImportError(
            f"{error}\nfirn needs these libraries of Debian 12: apt-get install libhdf5-103-1 "
            "libembree3-3 libopenvdb10.0 libopenexr-3-1-30 libfyaml0 libpng16-16 libfreetype6 "
            "libdeflate0"
        ) from error
    value = getattr(_firn, name)
    globals()[name] = value
    return value
