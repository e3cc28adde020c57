# Panels, by a script through the same functions as a window's events: a click on a control has its
# effect and does not move the camera, a number can be typed, and the scene can be saved.
. "$(dirname "$0")/prepare.sh"
size=(--size 960x540 --threads 1 --style spheres)
cat >panels.txt <<'END'
wait 0.1
press left 60 60              # a drag of the camera, then a click on a panel
glide 80 64 0.1
release left
wait 0.05
press left 660 56             # Pause
release left
move 500 300
wait 0.1
particles paused.csv
screenshot shown.png
wait 0.2
particles still.csv
press left 700 500            # a drag on the panels is not the camera's
glide 640 440 0.1
release left
move 500 300
wait 0.05
screenshot dragged.png
press left 824 169            # gravity along y: typed, with a shortcut that must not quit
release left
wait 0.05
key q
key 4
key 0
key enter
wait 0.05
key space                     # no text field is active: a shortcut again
wait 0.3
particles risen.csv
key g                         # away
wait 0.05
screenshot hidden.png
quit
END
expect 0 view "$bed" --script panels.txt --headless --panels "${size[@]}"
silent
cmp -s paused.csv still.csv || fail "the button Pause does not pause"
is "$(apart shown.png hidden.png 620 20 320 500) > 5" "the panels are shown, and hidden by G"
is "$(apart shown.png dragged.png 150 150 400 300) < 0.6" "the camera is where it was"
"$python" - <<'PY' || fail "gravity was not changed by its field"
import numpy
def height(name): return numpy.loadtxt(name, delimiter=",", skiprows=1)[:, 1].mean()
# 40 m/s^2 upwards for about 0.3 s lift it by 1.8 m; half of that leaves room for the step in which
# the click is handled
rise = height("risen.csv") - height("still.csv")
print("the snow rose by", rise)
assert rise > 0.9
PY

# A parameter of the solver: edited, applied by a restart, saved.
cat >parameters.txt <<'END'
wait 0.05
move 800 400
scroll -60                    # to the end of the bar
wait 0.05
press left 700 431            # Solver and material
release left
wait 0.05
press left 840 497            # mpm.cell
release left
wait 0.05
key 0
key .
key 0
key 5
key enter
wait 0.05
press left 775 455            # Restart with changes
release left
wait 0.05
particles coarse.csv
key w
wait 0.05
quit
END
expect 0 view "$bed" --paused --script parameters.txt --headless --panels "${size[@]}"
silent
# 4 particles per cell of 0.04 m became 4 per cell of 0.05 m: 0.51 times as many; the walls of the
# box cut cells
is "$(wc -l <coarse.csv) < 0.65 * $(wc -l <paused.csv)" "the simulation has restarted with the cell"
grep -q 'cell: 0.05' bed-0001.yaml || fail "the saved scene has no changes"
rm bed-0001.yaml

# Of a run: a particle can be picked, and the scene saved.
expect 0 run "$bed" -o run -q --threads 1 --frames 2 --set output.preview=false \
    --set output.film=false
cat >replay.txt <<'END'
wait 0.05
screenshot run.png
press left 300 300
release left
wait 0.1
screenshot picked.png
key w
wait 0.05
quit
END
expect 0 view run --paused --script replay.txt --headless --panels "${size[@]}"
silent
is "$(apart run.png picked.png 620 150 320 300) > 2" "the fields of a particle are shown"
expect 0 check bed-0001.yaml
rm bed-0001.yaml

# The saved scene has the camera and the changes; the saved camera is valid as a block of a scene.
cat >save.txt <<'END'
key o
press left 20 100
glide 60 110 0.1
release left
wait 0.05
screenshot turned.png
key w
wait 0.05
key k
wait 0.05
quit
END
expect 0 view "$bed" --paused --script save.txt --headless --style spheres --size 256x144 \
    --threads 1 --set mpm.cell=0.038
silent
is_there bed-0001.yaml
expect 0 check bed-0001.yaml
expect 0 view bed-0001.yaml --out again.png --style spheres --size 256x144 --threads 1
is "$(apart turned.png again.png) < 0.1" "the saved scene has the camera"
grep -q 'cell: 0.038' bed-0001.yaml || fail "the saved scene lost --set"
expect 0 view "$bed" --out first.png --style spheres --size 256x144 --threads 1 --set mpm.cell=0.038
is "$(apart turned.png first.png) > 2" "the camera had turned"
cat bed-camera-0001.yaml >with.yaml
sed '/^render:/d' "$bed" >>with.yaml
expect 0 view with.yaml --out camera.png --style spheres --size 256x144 --threads 1 \
    --set mpm.cell=0.038
is "$(apart turned.png camera.png) < 0.1" "the saved camera is the camera"

# A camera that moves: the saved one stands where it stood.
here='{time: 0, eye: [1, 1, 1], look_at: [0, 0, 0]}'
there='{time: 1, eye: [2, 1, 1], look_at: [0, 0, 0]}'
sed "s/camera: {.*fov: 40}/camera: {fov: 40, keys: [$here, $there]}/" "$bed" >moving.yaml
expect 0 view moving.yaml --paused --script save.txt --headless --style spheres --size 256x144 \
    --threads 1
is_there moving-0001.yaml
expect 0 view moving-0001.yaml --out again.png --style spheres --size 256x144 --threads 1
is "$(apart turned.png again.png) < 0.1" "the saved scene has the camera instead of its key frames"
exit 0
