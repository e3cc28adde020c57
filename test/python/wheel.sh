#!/usr/bin/env bash
# The wheel, built with a back-end that Debian packages, is installed by pip without a network into a
# clean virtual environment that has Debian's numpy and nothing else of ours; there the guide runs.
set -euo pipefail
unset FIRN_SCENE_PATH PYTHONPATH
/usr/bin/python3 -m pip --version >/dev/null 2>&1 || { echo "skipped: python3-pip is missing"; exit 77; }
"$FIRN_SOURCE_DIR/tools/wheel" -o wheels --build "$FIRN_BUILD_DIR"
set -- wheels/firn-*-cp311-abi3-linux_*.whl
[ -f "$1" ] || { echo "no wheel for the limited API: $(ls wheels)"; exit 1; }

/usr/bin/python3 -m venv --system-site-packages --without-pip clean
/usr/bin/python3 -m pip --python clean/bin/python install --quiet --no-index --no-cache-dir \
    --disable-pip-version-check "./$1"
mkdir work
cd work
where=$(../clean/bin/python -c 'import firn; print(firn.__file__)')
case $where in
"$(readlink -f ../clean)"/*) ;;
*) echo "imported from $where, not from the environment"; exit 1 ;;
esac
../clean/bin/python -c 'import firn; assert "snowball-drop" in firn.scenes(), firn.scenes()'
../clean/bin/python "$FIRN_SOURCE_DIR/test/python/run_blocks.py" "$FIRN_SOURCE_DIR/docs/python.md" \
    >guide.log 2>&1 || { tail -n 20 guide.log; exit 1; }
/usr/bin/python3 "$FIRN_SOURCE_DIR/tools/check_binaries.py" ../clean/lib
tail -n 1 guide.log
/usr/bin/python3 -m pip --python ../clean/bin/python uninstall --quiet --yes \
    --disable-pip-version-check firn
[ -z "$(find ../clean/lib -name '*firn*')" ] || { echo "uninstalling leaves files"; exit 1; }
