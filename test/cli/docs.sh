# What the documents say is true: examples load, commands and files that they name exist, and the
# scene reference is the one that the program prints.
. "$(dirname "$0")/expect.sh"
docs=("$FIRN_SOURCE_DIR"/README.md "$FIRN_SOURCE_DIR"/ARCHITECTURE.md "$FIRN_SOURCE_DIR"/docs/*.md)

expect 0 help scene --markdown
cmp out.txt "$FIRN_SOURCE_DIR/docs/scene-reference.md" ||
    fail "docs/scene-reference.md is old: ./firn help scene --markdown > docs/scene-reference.md"

# The README's example is the shipped scene first-scene.
sed -n '/^```yaml$/,/^```$/p' "$FIRN_SOURCE_DIR/README.md" | sed '/^```/d' >first.yaml
expect 0 check first.yaml
shows "0 errors, 0 warnings"
"$FIRN" check first.yaml --json | sed 's/"scene":"[^"]*",//; s/"name":"[^"]*",//' >a.json
"$FIRN" check first-scene --json | sed 's/"scene":"[^"]*",//; s/"name":"[^"]*",//' >b.json
cmp -s a.json b.json || fail "the README's example is no longer scenes/demo/first-scene"

for command in run view web render check info measure trim diff verify export scenes presets bench \
    version help; do
    "$FIRN" help $command
done >help.txt
for doc in "${docs[@]}"; do
    stage=$doc
    # `firn COMMAND …` and ./firn COMMAND
    while read -r command; do
        [[ $command =~ ^(mpi|test|python)$ ]] && continue # the launcher's own
        "$FIRN" help "$command" >/dev/null 2>&1 || fail "$doc names 'firn $command'"
    done < <(grep -ohE '(`|\./)firn [a-z]+' "$doc" | grep -oE '[a-z]+$' | sort -u)
    # links to files
    while read -r link; do
        [ -e "$(dirname "$doc")/${link%%#*}" ] || fail "$doc links to '$link', which is not there"
    done < <(grep -ohE '\]\([^)]*\)' "$doc" | sed 's/^](//; s/)$//' | grep -vE '^(https?:|#)')
    # --options
    while read -r option; do
        case $option in # of cmake, pkg-config, apt-get and venv
        --addons | --python | --python-exit-code | --python-expr) continue ;; # of Blender
        --build | --install | --preset | --prefix | --cflags | --libs) continue ;;
        --web | --system-site-packages) continue ;; # of ./firn test, of venv
        --hostfile | --bind-to | --signal | --array | --ntasks | --mpi) continue ;; # of mpirun, Slurm
        esac
        grep -qF -- "$option" help.txt || fail "$doc names the option $option"
    done < <(grep -ohE -- '(^|[ `(])--[a-z][a-z-]+' "$doc" | grep -oE -- '--[a-z-]+' | sort -u)
done
exit 0
