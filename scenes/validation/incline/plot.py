#!/usr/bin/python3
"""Compares a run of `incline` with the exact acceleration: plot.py RUN [VARIANT]

Prints the measured and the expected acceleration between 0.2 and 0.5 s; draws the speed over time to
RUN/incline.png when matplotlib is there. The exit status is 1 when they differ by more than 2 %
(or, for `stays`, when the block still moves faster than 1 mm/s).
"""
import csv
import pathlib
import sys


def read_speed(run):
    """Time and mean speed along the slope."""
    mass = 400 * 0.24 * 0.12 * 0.12  # [kg] density times volume of the block
    with open(run / "stats.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return [float(r["time"]) for r in rows], [float(r["px"]) / mass for r in rows]


def slope(time, speed, begin, end):
    """Least-squares slope of speed between two times."""
    points = [(t, v) for t, v in zip(time, speed) if begin <= t <= end]
    n = len(points)
    mean_t = sum(t for t, _ in points) / n
    mean_v = sum(v for _, v in points) / n
    return sum((t - mean_t) * (v - mean_v) for t, v in points) / sum((t - mean_t) ** 2 for t, _ in points)


def draw(run, time, speed, expected):
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.plot(time, speed, label="firn")
    pyplot.plot(time, [expected * t for t in time], "--", label="g (sin - mu cos) t")
    pyplot.xlabel("time [s]")
    pyplot.ylabel("speed [m/s]")
    pyplot.legend()
    pyplot.savefig(run / "incline.png")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    run = pathlib.Path(sys.argv[1])
    variant = sys.argv[2] if len(sys.argv) > 2 else "default"
    with open(pathlib.Path(__file__).parent / "expected.csv", newline="") as file:
        expected = {r["variant"]: float(r["acceleration"]) for r in csv.DictReader(file)}[variant]
    time, speed = read_speed(run)
    measured = slope(time, speed, 0.2, 0.5)
    print(f"{variant}: measured {measured:.4f} m/s^2, expected {expected:.4f} m/s^2")
    draw(run, time, speed, expected)
    wrong = abs(speed[-1]) > 0.001 if expected == 0 else abs(measured / expected - 1) > 0.02
    sys.exit(1 if wrong else 0)


main()
