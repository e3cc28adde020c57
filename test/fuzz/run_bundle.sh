#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the targets of a bundle (tools/fuzz --bundle) side by side, on a machine with nothing but
# bash and the usual commands.
#   usage: ./run SECONDS [OUT]
# A second run continues with the corpora of the first. OUT gets figures.csv, corpus.tar.gz (new
# inputs), found.tar.gz (inputs that crash, hang, leak or take too much memory) and logs.tar.gz.
# Exit status 1: something was found.
set -u
seconds=${1:?usage: ./run SECONDS [OUT]}
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
out=$(readlink -m "${2:-$root/out}")
most=12000000 # [bytes] of new inputs of a target that are packed, the smallest first
cd "$root" || exit 2
mkdir -p log found work "$out"
[ ! -e inner.tar.xz ] || { bin/xz -dc inner.tar.xz | tar -xf - && rm inner.tar.xz; } || exit 2

# The last number after a word in a log.
last() { grep -oE "$2: *[0-9]+" "$1" | tail -n 1 | grep -oE '[0-9]+$' || echo 0; }
more() { echo $(($1 > $2 ? $1 : $2)); }

# The address sanitizer of clang 14 does not start at some of the random addresses of newer kernels.
fixed=
if setarch -R true 2>/dev/null; then fixed="setarch -R"; fi

# One target until the time is over: libFuzzer ends at each fault.
fuzz() {
    local name=$1 end=$((SECONDS + seconds)) tries=0 executions=0 edges=0 features=0 rss=0 slow=0 log=log/$1.log
    shift
    mkdir -p "found/$name" "work/$name" "corpus/$name"
    : >"$log"
    while [ $tries -lt 60 ] && [ $((end - SECONDS)) -ge 2 ]; do
        tries=$((tries + 1))
        (cd "work/$name" && TMPDIR=$PWD exec $fixed "$root/bin/firn_fuzz_$name" "$@" -max_total_time=$((end - SECONDS)) \
            -artifact_prefix="$root/found/$name/" "$root/corpus/$name") >"$log.try" 2>&1
        executions=$((executions + $(last "$log.try" number_of_executed_units)))
        edges=$(more "$edges" "$(last "$log.try" cov)")
        features=$(more "$features" "$(last "$log.try" ft)")
        rss=$(more "$rss" "$(last "$log.try" peak_rss_mb)")
        slow=$(more "$slow" "$(last "$log.try" slowest_unit_time_sec)")
        { head -c 20000 "$log.try" && echo "..." && tail -c 30000 "$log.try"; } >>"$log"
        rm -f "$log.try"
    done
    times >"$log.times" # the second line: user and system time of what this shell has started
    # shellcheck disable=SC2046
    set -- $(tail -n 1 "$log.times" | tr 'ms' '  ' | sed 's/\.[0-9]*//g')
    echo "$name,$seconds,$(($1 * 60 + $2 + $3 * 60 + $4)),$executions,$edges,$features,$slow,$rss,$tries" >"log/$name.csv"
}

# Inputs that were not in the bundle, smallest first, up to $most bytes of each target.
new_inputs() {
    local name sum size file
    for name in corpus/*; do
        sum=0
        find "$name" -type f -newer seeds -printf '%s %p\n' | sort -n | while read -r size file; do
            sum=$((sum + size))
            [ $sum -le $most ] && echo "$file"
        done
    done
}

[ -e seeds ] || { sleep 1 && touch seeds && sleep 1; }
# shellcheck disable=SC2046  # options have no spaces
while read -r name options environment; do
    (export $(echo "$environment" | tr ' ' '\n') && fuzz "$name" $(echo "$options" | tr ',' ' ')) &
done <targets
wait

echo target,seconds,cpu_seconds,executions,edges,features,slowest_s,peak_rss_mb,starts >"$out/figures.csv"
while read -r name _; do cat "log/$name.csv"; done <targets >>"$out/figures.csv"
new_inputs >new.list
tar -czf "$out/corpus.tar.gz" -T new.list
tar -czf "$out/found.tar.gz" found
tar -czf "$out/logs.tar.gz" log
cat "$out/figures.csv"
ls -la "$out"
echo "new inputs: $(wc -l <new.list)"
if [ -n "$(find found -type f -print -quit)" ]; then
    find found -type f
    exit 1
fi
