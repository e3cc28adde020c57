# SPDX-License-Identifier: MIT
"""The body at rest: a person in a parka as one smooth closed surface, and which bones each point follows.

The shape is a signed distance made of round cones, ellipsoids and a few cuts, joined smoothly. Its surface is
found on a grid (surface nets: one vertex in each cell that the surface crosses, four cells around each crossed
edge make a face), and the vertices are then moved onto the surface itself."""
import math

from figure.rig import ANKLE, FORE, JOINTS, SIDES, UPPER, rest_arm
from figure.vectors import add, clamp, cross, dot, length, madd, smooth, sub, unit

HIP = JOINTS["Thigh.R"][1][1]
KNEE = JOINTS["Shin.R"][1][1]
HEM = 0.71  # [m] where the parka ends


def smooth_min(a, b, k):
    h = max(k - abs(a - b), 0.0) / k
    return min(a, b) - h * h * k * 0.25


def smooth_max(a, b, k):
    return -smooth_min(-a, -b, k)


class Cone:
    """Two spheres and what lies between them. `flat` squeezes it along x, about the middle of its axis."""

    def __init__(self, a, b, ra, rb, flat=1.0):
        self.a, self.flat, self.ra, self.rb = a, flat, ra, rb
        self.axis = sub(b, a)
        self.square = dot(self.axis, self.axis)
        self.x = a[0]

    def __call__(self, p):
        if self.flat != 1.0:
            p = (self.x + (p[0] - self.x) / self.flat, p[1], p[2])
        q = sub(p, self.a)
        u = clamp(dot(q, self.axis) / self.square)
        d = length(madd(q, -u, self.axis)) - (self.ra + u * (self.rb - self.ra))
        return d * (self.flat if self.flat < 1 else 1.0)


class Ellipsoid:
    """With rows of unit axes; not a true distance, but good near the surface."""

    def __init__(self, centre, radii, axes=((1, 0, 0), (0, 1, 0), (0, 0, 1))):
        self.centre, self.radii, self.axes = centre, radii, axes

    def __call__(self, p):
        q = sub(p, self.centre)
        a = [dot(q, axis) / r for axis, r in zip(self.axes, self.radii)]
        k0 = math.sqrt(sum(x * x for x in a))
        k1 = math.sqrt(sum((x / r) ** 2 for x, r in zip(a, self.radii)))
        return k0 * (k0 - 1) / k1 if k1 > 1e-9 else -min(self.radii)


class Block:
    """A box with round edges."""

    def __init__(self, centre, half, edge):
        self.centre, self.half, self.edge = centre, half, edge

    def __call__(self, p):
        q = [abs(x - c) - h + self.edge for x, c, h in zip(p, self.centre, self.half)]
        out = math.sqrt(sum(max(x, 0.0) ** 2 for x in q))
        return out + min(max(q), 0.0) - self.edge


def ring(p, centre, wide, high, thick):
    """A torus about x with an oval way round."""
    y, z = (p[1] - centre[1]) / high, (p[2] - centre[2]) / wide
    r = math.hypot(y, z)
    if r < 1e-6:
        return min(wide, high)
    way = 0.5 * (wide + high)
    return math.hypot(p[0] - centre[0], (r - 1) * way) - thick


def puffs(along, depth, wave):
    """Quilting: how far seams are sewn in."""
    return depth * (1 - abs(math.sin(math.pi * along / wave)) ** 0.6)


def sole(p, z, low, high):
    """A plate with the outline of a boot: heel and ball are circles, what lies between is straight."""
    heel, ball = (-0.034, 0.0585), (0.118, 0.0685)  # place along x, radius
    u = clamp((p[0] - heel[0]) / (ball[0] - heel[0]))
    across = math.hypot(p[0] - (heel[0] + u * (ball[0] - heel[0])), p[2] - z) - (heel[1] + u * (ball[1] - heel[1]))
    up = abs(p[1] - 0.5 * (low + high)) - 0.5 * (high - low)
    edge = 0.012
    a, b = across + edge, up + edge
    return math.hypot(max(a, 0.0), max(b, 0.0)) + min(max(a, b), 0.0) - edge


def legs_and_boots(side):
    z = JOINTS["Thigh." + side][1][2]
    parts = [Cone((0.0, HIP - 0.02, z), (0.012, KNEE + 0.01, z), 0.108, 0.077),
             Cone((0.012, KNEE + 0.01, z), (-0.012, 0.27, z), 0.075, 0.068)]
    calf = Ellipsoid((-0.022, 0.38, z), (0.070, 0.12, 0.064))
    boot = [Cone((-0.014, 0.10, z), (-0.012, 0.275, z), 0.062, 0.071),
            Cone((-0.032, 0.082, z), (0.070, 0.078, z), 0.060, 0.060)]
    toe = Ellipsoid((0.105, 0.052, z), (0.078, 0.056, 0.066))
    cuff = Cone((-0.012, 0.268, z), (-0.012, 0.284, z), 0.078, 0.078)

    def leg(p):
        d = smooth_min(parts[0](p), parts[1](p), 0.04)
        d = smooth_min(d, calf(p), 0.05)
        if 0.36 < p[1] < 0.47:  # folds behind and before the knee
            d += puffs(p[1] - 0.36, 0.003, 0.055)
        b = smooth_min(boot[0](p), boot[1](p), 0.05)
        b = smooth_min(b, toe(p), 0.045)
        b = smooth_min(b, cuff(p), 0.02)
        b = smooth_min(b, sole(p, z, -0.02, 0.036), 0.010)
        return smooth_max(smooth_min(d, b, 0.015), -p[1], 0.004)  # soles are flat, at y = 0
    return leg


def arm(side):
    s = SIDES[side]
    shoulder, elbow, wrist = (JOINTS[n + side][1] for n in ("UpperArm.", "Forearm.", "Hand."))
    d = rest_arm(side)
    out = cross(d, (1.0, 0.0, 0.0))  # across the arm and the forward direction
    sleeve = [Cone(shoulder, elbow, 0.090, 0.070), Cone(elbow, wrist, 0.070, 0.058)]
    cuff = Cone(madd(wrist, 0.010, d), madd(wrist, 0.035, d), 0.055, 0.057)
    palm = Ellipsoid(madd(wrist, 0.105, d), (0.068, 0.100, 0.047), ((1, 0, 0), d, out))
    thumb_root = add(madd(wrist, 0.060, d), (0.040, 0, 0))
    thumb = Cone(thumb_root, add(madd(wrist, 0.130, d), (0.078, 0, -0.008 * s)), 0.031, 0.026)

    def whole(p):
        along = dot(sub(p, shoulder), d)
        e = smooth_min(sleeve[0](p), sleeve[1](p), 0.04)
        if 0.03 < along < UPPER + FORE - 0.01:
            e += puffs(along - 0.03, 0.007, 0.104)
        e = smooth_min(e, cuff(p), 0.012)
        return smooth_min(e, smooth_min(palm(p), thumb(p), 0.02), 0.012)
    return whole


def torso():
    body = [Cone((0.0, 0.62, 0), (0.0, 0.88, 0), 0.242, 0.206, 0.78),
            Cone((0.0, 0.88, 0), (0.0, 1.055, 0), 0.206, 0.168, 0.78),
            Cone((0.0, 1.055, 0), (0.008, 1.26, 0), 0.168, 0.204, 0.76),
            Cone((0.008, 1.26, 0), (0.0, 1.37, 0), 0.200, 0.150, 0.72)]
    yoke = Cone((-0.008, 1.375, -0.125), (-0.008, 1.375, 0.125), 0.088, 0.088)
    collar = Cone((0.0, 1.40, 0), (0.012, 1.485, 0), 0.115, 0.105)

    def whole(p):
        d = body[0](p)
        for part in body[1:]:
            d = smooth_min(d, part(p), 0.05)
        d = smooth_min(d, yoke(p), 0.08)
        if 1.07 < p[1] < 1.40:
            d += puffs(p[1] - 1.07, 0.008, 0.110)
        elif 0.74 < p[1] < 1.04:
            d += puffs(p[1] - 0.74, 0.008, 0.100)
        d = smooth_min(d, collar(p), 0.03)
        return smooth_max(d, HEM - p[1], 0.03)
    return whole


def pack():
    bag = Block((-0.205, 1.19, 0), (0.082, 0.165, 0.130), 0.055)
    lid = Block((-0.205, 1.365, 0), (0.090, 0.050, 0.138), 0.045)
    pocket = Block((-0.295, 1.13, 0), (0.030, 0.080, 0.095), 0.028)
    roll = Cone((-0.205, 0.985, -0.17), (-0.205, 0.985, 0.17), 0.058, 0.058)

    def whole(p):
        d = smooth_min(bag(p), lid(p), 0.012)
        return smooth_min(smooth_min(d, pocket(p), 0.015), roll(p), 0.015)
    return whole


def head():
    hood = Ellipsoid((-0.012, 1.612, 0), (0.150, 0.160, 0.142))
    nape = Cone((-0.045, 1.48, 0), (-0.035, 1.56, 0), 0.105, 0.125)
    opening = Ellipsoid((0.150, 1.602, 0), (0.115, 0.104, 0.086))
    face = Ellipsoid((0.040, 1.600, 0), (0.074, 0.105, 0.076))
    nose = Cone((0.105, 1.605, 0), (0.125, 1.588, 0), 0.014, 0.018)
    chin = Ellipsoid((0.062, 1.540, 0), (0.052, 0.040, 0.055))
    goggles = Ellipsoid((0.092, 1.634, 0), (0.046, 0.034, 0.068))

    def whole(p):
        d = smooth_min(hood(p), nape(p), 0.05)
        d = smooth_max(d, -opening(p), 0.02)
        d = smooth_min(d, ring(p, (0.100, 1.602, 0), 0.092, 0.112, 0.034), 0.018)
        f = smooth_min(smooth_min(face(p), chin(p), 0.03), nose(p), 0.015)
        return smooth_min(d, smooth_min(f, goggles(p), 0.010), 0.012)
    return whole


class Region:
    """A part of the body in its box: far away the distance to the box is enough."""

    def __init__(self, f, low, high):
        self.f, self.low, self.high = f, low, high

    def box(self, p):
        x = max(self.low[0] - p[0], p[0] - self.high[0], 0.0)
        y = max(self.low[1] - p[1], p[1] - self.high[1], 0.0)
        z = max(self.low[2] - p[2], p[2] - self.high[2], 0.0)
        return math.sqrt(x * x + y * y + z * z)

    def __call__(self, p):
        away = self.box(p)
        return self.f(p) if away < 0.1 else away


REGIONS = {"torso": Region(torso(), (-0.2, 0.69, -0.26), (0.2, 1.6, 0.26)),
           "pack": Region(pack(), (-0.33, 0.92, -0.23), (-0.11, 1.42, 0.23)),
           "head": Region(head(), (-0.17, 1.37, -0.15), (0.17, 1.78, 0.15))}
for _side, _sign in SIDES.items():
    _near, _far = sorted((0.0, 0.22 * _sign))
    REGIONS["leg." + _side] = Region(legs_and_boots(_side), (-0.12, 0.0, _near), (0.2, 1.05, _far))
    _near, _far = sorted((0.09 * _sign, 0.70 * _sign))
    REGIONS["arm." + _side] = Region(arm(_side), (-0.1, 0.80, _near), (0.13, 1.50, _far))
JOIN = {"torso": 0.02, "pack": 0.02, "head": 0.02, "leg": 0.012, "arm": 0.035}  # [m] how far joins reach


def distance(p, regions=None):
    """Of the whole body, or of some of its parts."""
    d = 1.0
    for name, region in (regions or REGIONS).items():
        k = JOIN[name.split(".")[0]]
        away = region.box(p)
        if away < d + k:
            d = smooth_min(d, region.f(p) if away < 0.1 else away, k)
    return d


# --- bones ---------------------------------------------------------------------------------------------------

def chain(along, stops):
    """Shares along a chain: `stops` are (bone, where the next begins, half the width of the change)."""
    shares, left = {}, 1.0
    for bone, end, half in stops:
        here = 1.0 if end is None else 1 - smooth(along, end - half, end + half)
        shares[bone] = left * here
        left *= 1 - here
    return shares


def region_shares(region, p):
    if region == "torso":
        shares = chain(p[1], [("Hips", JOINTS["Spine"][1][1], 0.09), ("Spine", JOINTS["Chest"][1][1], 0.09),
                              ("Chest", JOINTS["Head"][1][1] + 0.02, 0.05), ("Head", None, 0)])
        # the skirt of the parka goes with the thighs, the more the lower
        loose = 0.85 * smooth(HIP + 0.04 - p[1], 0.0, 0.24) * shares["Hips"]
        right = smooth(p[2], -0.09, 0.09)
        shares["Hips"] -= loose
        shares["Thigh.R"], shares["Thigh.L"] = loose * right, loose * (1 - right)
        return shares
    if region == "pack":
        return {"Chest": 1.0}
    if region == "head":
        return chain(p[1], [("Chest", JOINTS["Head"][1][1], 0.03), ("Head", None, 0)])
    part, side = region.split(".")
    if part == "leg":
        return chain(-p[1], [("Hips", -(HIP + 0.04), 0.05), ("Thigh." + side, -KNEE, 0.07),
                             ("Shin." + side, -(ANKLE + 0.045), 0.035), ("Foot." + side, None, 0)])
    along = dot(sub(p, JOINTS["UpperArm." + side][1]), rest_arm(side))
    return chain(along, [("Chest", -0.045, 0.05), ("UpperArm." + side, UPPER, 0.055),
                         ("Forearm." + side, UPPER + FORE, 0.03), ("Hand." + side, None, 0)])


def bone_shares(p, regions=None):
    """Up to four bones and their shares of a point of the surface, which sum to 255."""
    near = {name: d(p) for name, d in (regions or REGIONS).items()}
    least = min(near.values())
    shares, total = {}, 0.0
    for name, d in near.items():
        weight = max(0.0, 1 - (d - least) / 0.055) ** 2
        if weight <= 0:
            continue
        total += weight
        for bone, share in region_shares(name, p).items():
            shares[bone] = shares.get(bone, 0.0) + weight * share
    best = sorted(shares.items(), key=lambda item: -item[1])[:4]
    total = sum(share for _, share in best)
    whole = [[bone, round(255 * share / total)] for bone, share in best]
    whole[0][1] += 255 - sum(share for _, share in whole)
    return [(bone, share) for bone, share in whole if share > 0]


# --- the surface ---------------------------------------------------------------------------------------------

def gradient(p, f, h=1e-4):
    g = []
    for i in range(3):
        a, b = list(p), list(p)
        a[i] += h
        b[i] -= h
        g.append((f(a) - f(b)) / (2 * h))
    return tuple(g)


def sample(f, low, size, h):
    """Values at the nodes of a grid near the surface. Blocks of nodes far from it are left out."""
    step, values = 5, {}
    reach = 0.5 * step * h * math.sqrt(3) + 0.03  # the distance is not quite one: some room
    for bi in range(0, size[0], step):
        for bj in range(0, size[1], step):
            for bk in range(0, size[2], step):
                middle = [low[i] + h * (b + 0.5 * (step - 1)) for i, b in enumerate((bi, bj, bk))]
                if abs(f(middle)) > reach:
                    continue
                for i in range(bi, bi + step):
                    for j in range(bj, bj + step):
                        for k in range(bk, bk + step):
                            values[i, j, k] = f((low[0] + h * i, low[1] + h * j, low[2] + h * k))
    return values


def clear_doubts(values):
    """No face of a cell may have its two inner corners on a diagonal: which way they are joined would be open, and an
    edge could end up with four triangles. The corner nearest to the surface changes sides."""
    again = True
    while again:
        again = False
        for node in sorted(values):
            for axis in range(3):
                b, c = (axis + 1) % 3, (axis + 2) % 3
                corners = []
                for db, dc in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    corner = list(node)
                    corner[b] += db
                    corner[c] += dc
                    corners.append(tuple(corner))
                if any(corner not in values for corner in corners):
                    continue
                inside = [values[corner] < 0 for corner in corners]
                if inside[0] == inside[2] and inside[1] == inside[3] and inside[0] != inside[1]:
                    nearest = min(corners, key=lambda corner: abs(values[corner]))
                    values[nearest] = -1e-6 if values[nearest] >= 0 else 1e-6
                    again = True


CORNERS = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
EDGES = [(a, b) for a in CORNERS for b in CORNERS if a < b and sum(abs(x - y) for x, y in zip(a, b)) == 1]


def cell_vertex(values, cell, low, h):
    """The mean of where the surface cuts the edges of a cell; None when it does not."""
    corner = {}
    for c in CORNERS:
        v = values.get((cell[0] + c[0], cell[1] + c[1], cell[2] + c[2]))
        if v is None:
            return None
        corner[c] = v
    total, count = (0.0, 0.0, 0.0), 0
    for a, b in EDGES:
        va, vb = corner[a], corner[b]
        if (va < 0) != (vb < 0):
            u = va / (va - vb)
            total = add(total, tuple((1 - u) * x + u * y for x, y in zip(a, b)))
            count += 1
    if count == 0:
        return None
    return tuple(low[i] + h * (cell[i] + total[i] / count) for i in range(3))


def nets(f, low, high, h):
    """Vertices and triangles, counter-clockwise from outside."""
    size = [int(math.ceil((high[i] - low[i]) / h)) + 1 for i in range(3)]
    values = sample(f, low, size, h)
    clear_doubts(values)
    vertices, number, triangles = [], {}, []
    for cell in sorted(values):
        v = cell_vertex(values, cell, low, h)
        if v is not None:
            number[cell] = len(vertices)
            vertices.append(v)
    for (i, j, k), value in sorted(values.items()):
        for axis in range(3):
            step = [0, 0, 0]
            step[axis] = 1
            other = values.get((i + step[0], j + step[1], k + step[2]))
            if other is None or (value < 0) == (other < 0):
                continue
            b, c = (axis + 1) % 3, (axis + 2) % 3
            around = []
            for db, dc in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                cell = [i, j, k]
                cell[b] += db
                cell[c] += dc
                around.append(number[tuple(cell)])
            if value >= 0:  # the outside is at the lower end
                around.reverse()
            triangles += split(vertices, around)
    return vertices, triangles


def settle(f, vertices, h):
    """Moves vertices onto the surface, and not far from where their cells have them."""
    for n, p in enumerate(vertices):
        for _ in range(2):
            g = gradient(p, f)
            q = madd(p, -f(p) / max(dot(g, g), 0.25), g)
            far = sub(q, vertices[n])
            p = q if length(far) < 0.6 * h else madd(vertices[n], 0.6 * h, unit(far))
        vertices[n] = p


def open_edges(triangles):
    """Edges that do not belong to exactly two triangles, once in each direction."""
    seen = {}
    for t in triangles:
        for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
            seen[a, b] = seen.get((a, b), 0) + 1
    return sum(1 for (a, b), n in seen.items() if n != 1 or seen.get((b, a)) != 1)


def split(vertices, quad):
    """A face of four as two triangles, along the shorter diagonal."""
    a, b, c, d = quad
    if length(sub(vertices[a], vertices[c])) <= length(sub(vertices[b], vertices[d])):
        return [(a, b, c), (a, c, d)]
    return [(a, b, d), (b, c, d)]


def make(h, without=()):
    """Vertices, triangles and bones of the figure with faces of about h metres, some parts left out."""
    regions = {name: region for name, region in REGIONS.items() if name not in without}

    def whole(p):
        return distance(p, regions)
    low, high = (-0.36, -0.0315, -0.73), (0.26, 1.82, 0.73)
    vertices, triangles = nets(whole, low, high, h)
    if open_edges(triangles):
        raise SystemExit(f"the body has {open_edges(triangles)} bad edges")
    settle(whole, vertices, h)
    return vertices, triangles, [bone_shares(p, regions) for p in vertices]
