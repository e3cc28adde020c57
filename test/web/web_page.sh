#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page in a real browser: web_page.sh chromium|firefox. Uses the page that the test web_module
# has built, or that of $FIRN_WEB_PAGE; $FIRN_WEB_SHOTS is a folder for screenshots.
. "$FIRN_SOURCE_DIR/test/web/prepare.sh"
browser=$1
page=${FIRN_WEB_PAGE:-$FIRN_BUILD_DIR/page}
here=$FIRN_SOURCE_DIR/test/web
[[ -e $page/index.html ]] || skip "there is no page: ./firn test --web builds it"
[[ -d $here/node_modules ]] || skip "no playwright-core: ./firn test --web installs it"
FIRN_WEB_HASHES=$(/usr/bin/python3 "$here/compare_hashes.py" "$FIRN" --expected)
export FIRN_WEB_HASHES
coproc server { exec "$FIRN" web "$page" --port 0 --no-open; }
trap 'kill "$server_PID" 2>/dev/null || true' EXIT
read -r url _ <&"${server[0]}"
screen=()
if [[ $browser == firefox ]]; then
    command -v xvfb-run >/dev/null && command -v xauth >/dev/null ||
        skip "xvfb-run and xauth are not installed (tools/packages-web)"
    screen=(xvfb-run -a -s "-screen 0 1280x1024x24")
fi
"${screen[@]}" node "$here/page_test.mjs" "$url" "$browser" ${FIRN_WEB_SHOTS:+"$FIRN_WEB_SHOTS"}
