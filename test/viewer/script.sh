# A session by script, through the same functions as a window's events: looking around changes the
# picture and not the snow; a ball and a plow that are dragged push it.
. "$(dirname "$0")/prepare.sh"
cat >session.txt <<'END'
wait 0.1
key space                     # time stands still
wait 0.04
screenshot before.png
particles before.csv
press left 20 150             # beside the snow: the camera
glide 70 130 0.1
release left
wait 0.04
screenshot turned.png
press left 70 130
glide 20 150 0.1
release left
wait 0.04
screenshot back.png
particles still.csv
key space
move 128 92
key b                         # a ball appears above the snow, and comes down
wait 0.7
bodies ball0.csv
press left 128 86
glide 190 92 0.5
wait 0.3
bodies ball1.csv
particles ball.csv
screenshot ball.png
release left
key b                         # and away
move 100 85
key p
wait 0.7
bodies plow0.csv
press left 100 84
glide 150 130 0.5
wait 0.3
release left
bodies plow1.csv
particles plow.csv
screenshot plow.png
key f12
wait 0.04
key f12
wait 0.04
key home
wait 0.04
particles again.csv
quit
END
expect 0 view "$bed" --script session.txt --headless --style spheres --size 256x144 --threads 1
silent
# levels of 255, on average: the way back ends where it began; edges may differ
is "$(apart before.png turned.png) > 3" "orbiting turns the picture"
is "$(apart before.png back.png) < 0.6" "and back again"
cmp -s before.csv still.csv || fail "looking around moved the snow"
is_there bed-0001.png
is_there bed-0002.png
"$python" - <<'PY' || fail "the tools did not do what they should"
# Particles change their order on the way: what counts is how many are where.
import numpy
def table(name): return numpy.loadtxt(name, delimiter=",", skiprows=1)
def body(name, number):
    cells = open(name).read().split("\n")[1 + number].split(",")
    return numpy.array([float(x) for x in cells[1:4]])
def columns(x):
    reach = ((-0.64, 0.64), (-0.48, 0.48))
    return numpy.histogram2d(x[:, 0], x[:, 2], bins=(16, 12), range=reach)[0]
def near_way(x, a, b, radius):
    """How many lie within `radius` of the way from a to b, seen from above."""
    a, b, p = a[[0, 2]], b[[0, 2]], x[:, [0, 2]]
    t = numpy.clip((p - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return (numpy.linalg.norm(p - a - t[:, None] * (b - a), axis=1) < radius).sum()

before, ball, plow, again = (table(n + ".csv") for n in ("before", "ball", "plow", "again"))
a, b = body("ball0.csv", 1), body("ball1.csv", 1)
way = b - a
# Limits below are in metres, of cells of 0.04: they tell a drag of several cells from none, and
# leave less than a cell for heights above the ground.
print("the ball went", way)
assert numpy.hypot(way[0], way[2]) > 0.12 and abs(way[1]) < 0.02, "dragged over the ground"
shift = ball.mean(0) - before.mean(0)
along = way / numpy.linalg.norm(way)
print("the snow went", shift, "of it along:", shift @ along)
assert shift @ along > 0.005, "the snow's middle moves with the ball"
print("on its way:", near_way(before, a, b, 0.06), "particles before,",
      near_way(ball, a, b, 0.06), "after")
assert near_way(ball, a, b, 0.06) < 0.75 * near_way(before, a, b, 0.06), "it leaves a trench"
assert not (numpy.linalg.norm(ball - b, axis=1) < 0.08).any(), "the ball is full of snow"
c, d = body("plow0.csv", 2), body("plow1.csv", 2)
print("the plow went", d - c)
assert abs(c[1]) < 0.03 and numpy.linalg.norm(d - c) > 0.12, \
    "the plow stands on the ground and was dragged"
assert body("plow1.csv", 1)[1] < -100, "the ball is away"
push = (plow - ball).mean(0) @ (d - c) / numpy.linalg.norm(d - c)
print("it pushed the snow by", push)
assert push > 0.003
changed = [abs(columns(x) - columns(before)).sum() / len(before) for x in (ball, plow, again)]
print("changed columns after the ball, the plow, a restart:", changed)
assert changed[0] > 0.1 and changed[1] > changed[0] and changed[2] < 0.08, "home begins again"
PY
exit 0
