// SPDX-License-Identifier: MIT
// The state hashes that short scenes must end with, in the single build: one row per scene and SIMD
// level. v3 and v4 fuse the same operations, so they share a value. A change here needs a reason in
// the commit: it means that every user's results change.
// `firn_test golden` prints the rows as they are now.
// clang-format off
GOLDEN("semi-implicit", "baseline",  0x46c0dc1af9e99d9f)
GOLDEN("semi-implicit", "x86-64-v3", 0x5005ab4ea99b9f37)
GOLDEN("semi-implicit", "x86-64-v4", 0x5005ab4ea99b9f37)
GOLDEN("explicit",      "baseline",  0xe9951c10083bd1bc)
GOLDEN("explicit",      "x86-64-v3", 0xc9861027431f9548)
GOLDEN("explicit",      "x86-64-v4", 0xc9861027431f9548)
GOLDEN("apic",          "baseline",  0xbad372e1f030d5db)
GOLDEN("apic",          "x86-64-v3", 0xafc1855bdeb6095f)
GOLDEN("apic",          "x86-64-v4", 0xafc1855bdeb6095f)
GOLDEN("ballistic",     "baseline",  0x43d9d7a80448c5ad)
// clang-format on
