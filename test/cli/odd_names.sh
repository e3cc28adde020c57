# Scenes with odd names, commands that firn suggests, and what a kill leaves behind.
. "$(dirname "$0")/expect.sh"
quick=(--threads 1 --frames 1 --set mpm.cell=0.03 --set render.width=32 --set render.height=24)

# Names that mean folders: the run goes to runs/, into a folder of its own.
for name in ... .... .hidden. .; do
    mkdir here && cd here || exit 1
    cp "$tiny" "${name}yaml"
    expect 0 run "${name}yaml" -q "${quick[@]}"
    same "$(ls)" "$(printf 'err.txt\nout.txt\nruns')" \
        "files of the folder in which '${name}yaml' ran"
    same "$(find runs -mindepth 1 -maxdepth 1 | wc -l)" 1 "folders below runs"
    is_there runs/*/manifest.json
    [ -z "$(find . -mindepth 1 -name '.*' -type d)" ] || fail "a hidden folder for '${name}yaml'"
    cd .. && rm -r here
done

# --overwrite leaves no file of a run whose scene has a name of 120 characters.
long=$(printf 'n%0119d' 7)
cp "$tiny" "$long.yaml"
expect 0 run "$long.yaml" -o long -q "${quick[@]}"
is_there "long/frames/$long.0001.hdf"
is_there "long/state/$long.0001.h5"
expect 0 run "$tiny" -o long -q --overwrite "${quick[@]}"
same "$(find long -name "$long*" | wc -l)" 0 "files of the run before"

# Suggested commands mean what they say to a shell.
odd="it's a \$(touch oops) \"folder\""
cp "$tiny" "a 'scene'.yaml"
expect 0 run "a 'scene'.yaml" -o "$odd" "${quick[@]}"
sed -n '/^To view the result/,$p' err.txt | grep '^  ' >commands
grep -q info commands || fail "no command is suggested: $(cat err.txt)"
while read -r line; do
    eval "set -- $line"
    [ -e "${!#}" ] || fail "suggests '$line', which names no file"
    same $# "$([ "$2" = info ] && echo 3 || echo 2)" "words of '$line'"
done <commands
expect 0 render "$odd" --frames 0:1 --samples 1 --size 16x16
eval "set -- $(tail -n 1 err.txt)"
[ -e "$2" ] || fail "suggests '$*', which names no file"
absent oops
"$FIRN" run "$tiny" -o "$odd" --overwrite --frames 400 --set mpm.cell=0.03 --set "title=a b" \
    >out.txt 2>err.txt &
for _ in $(seq 200); do grep -q '^frame 1/' err.txt && break; sleep 0.05; done
kill -INT $!
wait $!
same $? 130 "an interrupted run"
eval "set -- $(tail -n 1 err.txt)"
same "$*" "$FIRN run $tiny -o $odd --frames 400 --set mpm.cell=0.03 --set title=a b --resume" \
    "the command that continues"

# What a kill leaves of files is removed by the next run; other files of such names stay.
expect 0 run "$tiny" -o crash -q "${quick[@]}"
mkdir crash/heights
for folder in . frames state preview heights; do
    echo left >"crash/$folder/.firn-0123456789abcdef.tmp"
    echo mine >"crash/$folder/mine.tmp"
done
expect 0 run "$tiny" -o crash -q --resume "${quick[@]}" --frames 2
same "$(find crash -name '.firn-*' | wc -l)" 0 "temporary files after the next run"
same "$(find crash -name mine.tmp | wc -l)" 5 "files of the user"
mkdir -p crash/pictures/.firn-0123456789abcdef.tmp
ln -s x crash/pictures/.firn-0123456789abcdef.tmp/000001.png
expect 0 render crash --frames 0 --samples 1 --size 16x16
same "$(find crash/pictures -name '.firn-*' | wc -l)" 0 "temporary files after the next render"
exit 0
