# A disk that is full, and folders that cannot be written: exit code 4, and what was done stays
# good.
. "$(dirname "$0")/expect.sh"
frames=12
options=(--threads 1 --set mpm.cell=0.03 --set output.film=false --set output.preview=false)

# Folders that even root cannot make.
expect 4 run "$tiny" -o /proc/firn-test -q
says /proc/firn-test
touch file
expect 4 run "$tiny" -o file/run -q
says file
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod 555 locked
    expect 4 run "$tiny" -o locked/run -q
    chmod 755 locked
fi

expect 0 run "$tiny" -o whole -q --frames $frames "${options[@]}"
wanted=$(state_hash whole)

# check_full DIR: the run there was cut short by the disk; then the disk is large enough again.
check_full() {
    expect 0 info "$1" --verify
    cp -r "$1" rescued
    expect 0 run "$tiny" -o rescued -q --resume --frames $frames "${options[@]}"
    same "$(state_hash rescued)" "$wanted" "the run after the disk was full"
    rm -r rescued
}

# No file over 40 KiB: stats.csv reaches that after some eight frames. ThreadSanitizer itself needs
# larger files.
stage="ulimit -f"
if [ "${FIRN_SANITIZE:-}" != thread ]; then
    (
        ulimit -f 40
        exec "$FIRN" run "$tiny" -o limited --frames $frames "${options[@]}" >out.txt 2>err.txt
    )
    same $? 4 "file size limit"
    says stats.csv
    check_full limited
fi

# A disk of 256 KiB.
mkdir small
if mount -t tmpfs -o size=256k none small 2>/dev/null; then
    trap 'umount small' EXIT
    "$FIRN" run "$tiny" -o small/run --frames $frames "${options[@]}" >out.txt 2>err.txt
    same $? 4 "full disk"
    says small/run
    check_full small/run
else
    echo "no permission to mount a tmpfs: the test of a full disk is left out"
fi
exit 0
