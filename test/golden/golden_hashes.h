// SPDX-License-Identifier: MIT
// The state hashes that short scenes must end with, in the single build: one row per scene and SIMD
// level. v3 and v4 fuse the same operations, so they share a value. A change here needs a reason in
// the commit: it means that every user's results change.
// `firn_test golden` prints the rows as they are now.
// clang-format off
GOLDEN("semi-implicit", "baseline",  0x5c3b6b78261293a4)
GOLDEN("semi-implicit", "x86-64-v3", 0x095db1f26898ec77)
GOLDEN("semi-implicit", "x86-64-v4", 0x095db1f26898ec77)
GOLDEN("explicit",      "baseline",  0xabb1c6696cdc9c0c)
GOLDEN("explicit",      "x86-64-v3", 0x21fd708150781302)
GOLDEN("explicit",      "x86-64-v4", 0x21fd708150781302)
GOLDEN("apic",          "baseline",  0xeae289c09a2aa640)
GOLDEN("apic",          "x86-64-v3", 0x8e4dc7292c025446)
GOLDEN("apic",          "x86-64-v4", 0x8e4dc7292c025446)
GOLDEN("ballistic",     "baseline",  0x43d9d7a80448c5ad)
// clang-format on
