# SPDX-License-Identifier: MIT
"""Small figures of snow for the scene oven, 9 to 13 cm tall, standing at y = 0 and looking along +x: a rabbit, a
snowman and a penguin. Together 0.88 litres, as much as Gissler et al. 2020 put into theirs (table 1: 878 thousand
particles of a cubic millimetre)."""
from model.solids import ball, block, both, egg, join, stick
from model import surface

FACE = 0.003   # [m] before the factor
FACTOR = 0.891  # to make the volume right


def rabbit():
    trunk = egg((-0.012, 0.036, 0), (0.045, 0.037, 0.035), 12)
    haunches = join(*(egg((-0.028, 0.026, side * 0.024), (0.027, 0.026, 0.017)) for side in (-1, 1)))
    chest = egg((0.018, 0.046, 0), (0.026, 0.032, 0.025))
    head = egg((0.034, 0.080, 0), (0.027, 0.022, 0.021), -12)
    snout = egg((0.055, 0.073, 0), (0.012, 0.011, 0.012))
    tail = ball((-0.058, 0.034, 0), 0.013)
    feet = join(*(egg((-0.012, 0.007, side * 0.026), (0.026, 0.009, 0.012)) for side in (-1, 1)),
                *(egg((0.034, 0.012, side * 0.013), (0.015, 0.013, 0.010)) for side in (-1, 1)))
    ears = join(*(egg((0.016, 0.110, side * 0.0160), (0.0115, 0.031, 0.0125), 20) for side in (-1, 1)))
    whole = join(join(trunk, haunches, chest, blend=0.014), join(head, snout, blend=0.008), blend=0.012)
    return both(join(join(whole, tail, feet, blend=0.006), ears, blend=0.008), floor())


def snowman():
    balls = join(ball((0, 0.034, 0), 0.039), ball((0, 0.083, 0), 0.0275), ball((0, 0.119, 0), 0.0195), blend=0.006)
    nose = stick((0.012, 0.119, 0), (0.030, 0.116, 0), 0.0085, 0.0070)
    arms = join(*(stick((0.002, 0.086, side * 0.022), (0.010, 0.097, side * 0.045), 0.0115, 0.0100)
                  for side in (-1, 1)))
    brim = both(egg((0, 0.133, 0), (0.027, 0.0095, 0.027)), floor(0.12))
    crown = block((0, 0.144, 0), (0.031, 0.024, 0.031), 0.007)
    return both(join(join(balls, nose, arms, blend=0.005), join(brim, crown, blend=0.003), blend=0.004), floor())


def penguin():
    trunk = egg((0, 0.050, 0), (0.033, 0.053, 0.034), 4)
    belly = egg((0.012, 0.042, 0), (0.028, 0.040, 0.029))
    head = egg((-0.002, 0.107, 0), (0.024, 0.022, 0.023))
    beak = stick((0.016, 0.106, 0), (0.033, 0.101, 0), 0.0095, 0.0070)
    wings = join(*(stick((-0.002, 0.080, side * 0.029), (-0.004, 0.038, side * 0.047), 0.0115, 0.0095)
                   for side in (-1, 1)))
    feet = join(*(egg((0.020, 0.006, side * 0.016), (0.022, 0.0085, 0.013)) for side in (-1, 1)))
    tail = stick((-0.026, 0.018, 0), (-0.041, 0.011, 0), 0.012, 0.0095)
    whole = join(join(trunk, belly, blend=0.01), head, blend=0.016)
    return both(join(join(whole, beak, wings, blend=0.005), feet, tail, blend=0.006), floor())


def floor(height=0.0):
    """The half-space above a height."""
    return lambda x, y, z: height - y


def make():
    """Each figure by name."""
    room = (-0.0801, -0.0101, -0.0702), (0.0803, 0.165, 0.0702)
    figures = {}
    for name, solid in (("rabbit", rabbit), ("snowman", snowman), ("penguin", penguin)):
        vertices, triangles = surface.make(solid(), *room, FACE)
        figures[name] = (FACTOR * vertices, triangles)
    return figures
