# SPDX-License-Identifier: MIT
# What the tests of the page begin with: `skip`, and where they do not apply.
set -euo pipefail
skip() {
    echo "skipped: $*"
    exit 77
}
[[ -z ${FIRN_SANITIZE:-} ]] || skip "the ordinary build tests the page"
"$FIRN" version | grep -q '^numbers *float' ||
    skip "the page computes in float, this build does not"
[[ $(uname -m) == x86_64 ]] ||
    skip "the baseline of this machine fuses multiply-adds, the page does not"
command -v node >/dev/null || skip "node is not installed: ./firn test --web installs it"
