# SPDX-License-Identifier: MIT
# Written by tools/python_api.py from python/src/defs.c and the scene reference: do not edit.
"""Functions with keyword arguments. None stands for the default of the C library."""
from __future__ import annotations

from os import PathLike
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

from ._shapes import Rotation, Shape, Vector, make_mesh, make_text

if TYPE_CHECKING:
    from ._collider import Collider
    from ._heights import Heights
    from ._scene import Id


class SceneKeys:
    """Arguments of the functions that add to a scene."""

    _add_material: Callable[..., Any]
    _add: Callable[..., Any]
    _add_joint: Callable[..., Any]

    def add_material(self, name: str, *, phase: str = 'snow', becomes: str | Id | None = None,
                     preset: str | None = None, density: float = 400, young: float = 140000,
                     poisson: float = 0.2, hardening: float = 10,
                     critical_compression: float = 0.025, critical_stretch: float = 0.0075,
                     viscosity: float = 0, slips: bool = False, surface_tension: float = 0,
                     becomes_after: float | None = None, becomes_below: float | None = None,
                     becomes_above: float | None = None, becomes_over: float = 0.1) -> Id:
        """Add a material; the defaults are those of Stomakhin et al. 2013, table 2.

        phase: 'snow', 'water' (incompressible) or 'viscous'; fluids are for solver sph.
        becomes: A material that was added before, which this one turns into (solver sph).
        preset: Name of a preset, whose constants are used.
        density [kg/m^3]: Initial density rho_0.
        young [Pa]: Initial Young's modulus E_0: stiffness.
        poisson: Poisson's ratio nu: lateral expansion under compression.
        hardening: Hardening xi: larger is brittle, smaller ductile.
        critical_compression: Compression theta_c at which it yields: larger is chunky, smaller
            powdery.
        critical_stretch: Stretch theta_s at which it breaks: larger is chunky, smaller powdery.
        viscosity [Pa s]: Viscosity of a fluid (solver sph), or of snow that creeps (solver mpm,
            where it ages).
        slips: A viscous fluid slides along colliders.
        surface_tension [N/m]: Surface tension of a fluid (solver sph), as cohesion between its
            particles: 0.073 for water. 0: none.
        becomes_after [s]: When it turns into `becomes`: time since a particle was emitted, or
            became this.
        becomes_below [degC]: It turns into `becomes` below this temperature; nan: at none.
        becomes_above [degC]: It turns into `becomes` above this temperature; nan: at none.
        becomes_over [s]: Time in which its rest density changes to that of `becomes`.
        """
        given: dict[str, Any] = dict(phase=phase, becomes=becomes, preset=preset, density=density,
                                     young=young, poisson=poisson, hardening=hardening,
                                     critical_compression=critical_compression,
                                     critical_stretch=critical_stretch, viscosity=viscosity,
                                     slips=slips, surface_tension=surface_tension,
                                     becomes_after=becomes_after, becomes_below=becomes_below,
                                     becomes_above=becomes_above, becomes_over=becomes_over)
        return self._add_material('material', name, given)

    def add_measured(self, name: str, *, density: float = 250, temperature: float = -5,
                     faceted: bool = False) -> Id:
        """Add natural snow with measured stiffness, strength and heat, by its density.

        density [kg/m^3]: Density, 50 to 500.
        temperature [degC]: Temperature, -60 to 0.
        faceted: Faceted grains, weaker than rounded ones.
        """
        given: dict[str, Any] = dict(density=density, temperature=temperature, faceted=faceted)
        return self._add_material('measured', name, given)

    def add_snow(self, shape: Shape, *, material: str | Id | None = None,
                 vary: dict[str, Any] | None = None, shell: dict[str, Any] | None = None,
                 layers: list[dict[str, Any]] | None = None, velocity: Vector = (0, 0, 0),
                 spin: Vector = (0, 0, 0), particles_per_cell: float = 8, loose: float = 1,
                 seed: int = 1, temperature: float = -5, clearance: float = 1) -> Id:
        """Fill a shape with snow.

        material: Name of a material of the scene; None: the first.
        vary: Factors on constants by noise or a volume: {'stiffness': {'noise_scale': 0.1,
            'noise_amount': 0.5}}; also density, hardening, compression, stretch.
        shell: Factors near the surface: {'thickness': 0.02, 'stiffness': 3}.
        layers: Factors by depth: [{'from': 0, 'to': 0.1, 'density': 0.5}].
        velocity [m/s]: Initial velocity.
        spin [rad/s]: Initial angular velocity about the centre of the shape's bounds.
        particles_per_cell: Particles per grid cell; 4 to 10 for packed snow.
        loose: Particle spacing relative to packed snow: particles keep their mass, so 2 gives an
            eighth of the density.
        seed: Seed of the sampling.
        temperature [degC]: Initial temperature; used in scenes with heat exchange.
        clearance [spacings]: Snow added to a simulation keeps this distance from existing snow; 0:
            none.
        """
        given: dict[str, Any] = dict(material=material, vary=vary, shell=shell, layers=layers,
                                     velocity=velocity, spin=spin,
                                     particles_per_cell=particles_per_cell, loose=loose, seed=seed,
                                     temperature=temperature, clearance=clearance)
        return self._add('snow', shape, given)

    def add_emitter(self, shape: Shape, *, material: str | Id | None = None,
                    follow: Id | None = None, rate: float = 0, velocity: Vector = (0, 0, 0),
                    spread: float = 0, size: float = 0, flake_size: float = 0.005,
                    flake_density: float = 12, start: float = 0, stop: float | None = None,
                    limit: int = 0, seed: int = 1, temperature: float = -5, flow: float = 0,
                    mass: float = 0, speed: float = 0, depth: float = 0) -> Id:
        """Add an emitter of snow (mpm and sph): particles appear in a shape during the simulation.

        material: Name of a material of the scene; None: the first.
        follow: A collider without a mass that it moves with; shape and velocity are as at t = 0.
        rate [1/s]: Flakes per second: particles, each of which is a cube of snow of edge 'size'.
        velocity [m/s]: Velocity of a new flake.
        spread [m/s]: RMS along each axis of a random velocity that is added.
        size [m]: Edge length of the cube of snow that a particle represents, usually of many
            flakes: its mass is that of this volume of the material. sph: its spacing; mpm: half a
            cell.
        flake_size [m]: Diameter of one flake: in air a lone particle falls and drifts as its flakes
            do. 0: as a single lump, a sphere of its volume of snow.
        flake_density [kg/m^3]: Mass of one flake by the volume of its sphere. The defaults fall at
            1.0 m/s, 100 kg/m^3 at 3.4 m/s.
        start [s]: Time at which the emitter starts; the first flake appears 1/rate later.
        stop [s]: Time at which the emitter stops.
        limit: Maximum number of flakes.
        seed: Seed of positions and velocities.
        temperature [degC]: Temperature of a new flake.
        flow [kg/s]: Snow per second, instead of 'rate': as many particles as weigh that much.
        mass [kg]: Maximum mass of all flakes together, instead of 'limit'.
        speed [m/s]: Speed along the outward normal of the nearest surface of the shape, added to
            'velocity'.
        depth [m]: Flakes appear in a layer of this thickness below the surface of the shape only.
        """
        given: dict[str, Any] = dict(material=material, follow=follow, rate=rate, velocity=velocity,
                                     spread=spread, size=size, flake_size=flake_size,
                                     flake_density=flake_density, start=start, stop=stop,
                                     limit=limit, seed=seed, temperature=temperature, flow=flow,
                                     mass=mass, speed=speed, depth=depth)
        return self._add('emitter', shape, given)

    def add_force(self, kind: str, *, falloff: str = 'none',
                  keys: list[tuple[float, float]] | None = None, strength: float = 0,
                  direction: Vector = (0, 1, 0), center: Vector = (0, 0, 0), radius: float = 0,
                  length: float = 0.5, period: float = 1, seed: int = 1) -> None:
        """Add an acceleration of all snow beside gravity: 'uniform' (along `direction`), 'point'
        (towards `center`), 'vortex' (around the axis through `center`) or 'noise' (eddies).

        falloff: How it decreases up to the radius: 'none', 'linear', 'smooth', or 'inverse' beyond
            it.
        keys: Factors on the strength at times: [(time, factor)]; None: constant.
        strength [m/s^2]: Acceleration where it is strongest, rms along each axis for noise; below
            0: the other way, away from a point. [m/s^2]
        direction: Direction of a uniform force, axis of a vortex (counter-clockwise, seen from its
            tip).
        center [m]: The point; a point of the axis; where the falloff of the others begins.
        radius [m]: Where it ends; 0: everywhere.
        length [m]: Size of an eddy.
        period [s]: Time after which the pattern of eddies has changed.
        seed: Seed of the eddies.
        """
        given: dict[str, Any] = dict(falloff=falloff, keys=keys, strength=strength,
                                     direction=direction, center=center, radius=radius,
                                     length=length, period=period, seed=seed)
        return self._add_force(kind, falloff, given)

    def add_collider(self, shape: Shape, *, keys: list[tuple[Any, ...]] | None = None,
                     position: Vector = (0, 0, 0), rotation: Rotation = (1, 0, 0, 0),
                     scale: float = 1, velocity: Vector = (0, 0, 0), spin: Vector = (0, 0, 0),
                     pivot: Vector = (0, 0, 0), linear: bool = False,
                     motion_file: str | None = None, motion_node: str | None = None,
                     motion_clip: str | None = None, motion_start: float = 0, friction: float = 0.4,
                     sticky: bool = False, mass: float = 0, viscosity: float = -1,
                     adhesion: float = 0, temperature: float | None = None,
                     temperature_of_air: bool = False, heat_transfer: float = 50,
                     restitution: float = 0, damping: float = 0, angular_damping: float = 0,
                     inertia: Vector = (0, 0, 0)) -> Id:
        """Add a collider: kinematic, or dynamic if it has a mass.

        keys: Poses at times: [(time, position[, rotation[, scale]])]; they replace position,
            rotation and scale.
        position [m]: Initial position of the shape's origin.
        rotation: Initial rotation of the shape.
        scale: Scale factor of the shape, about its origin.
        velocity [m/s]: Constant velocity; of a dynamic collider: initial velocity of its centre of
            mass.
        spin [rad/s]: Constant angular velocity about the pivot; of a dynamic collider: initial
            angular velocity about its centre of mass.
        pivot [m]: Initial position of the point that 'spin' rotates about and 'velocity' moves.
        linear: Interpolate `keys` linearly instead of by a spline.
        motion_file: A glTF file whose node moves the collider.
        motion_node: The node to follow.
        motion_clip: The animation; None: the first.
        motion_start [s]: When the animation starts.
        friction: Coulomb friction coefficient; 0: frictionless.
        sticky: Snow sticks to it on contact.
        mass [kg]: Above 0: a dynamic collider of uniform density, moved by gravity, snow and other
            colliders (on the CPU; not solver ballistic). 0: a kinematic collider.
        viscosity [m^2/s]: Viscous friction of solver sph, which replaces Coulomb friction: 0 is
            frictionless, 10 sticks.
        adhesion: Strength of the attraction of nearby snow (solver sph).
        temperature [degC]: Temperature of the collider (solver sph).
        temperature_of_air: As warm as the air.
        heat_transfer [W/m^2/K]: Heat transfer coefficient between the collider and snow in contact.
        restitution: Share of the speed that contact with a dynamic collider gives back; the larger
            of the two.
        damping [1/s]: Rate at which a dynamic collider loses velocity.
        angular_damping [1/s]: Rate at which a dynamic collider loses spin.
        inertia [kg m^2]: Moments of inertia of a dynamic collider about its centre of mass, along
            the shape's axes.
        """
        given: dict[str, Any] = dict(keys=keys, position=position, rotation=rotation, scale=scale,
                                     velocity=velocity, spin=spin, pivot=pivot, linear=linear,
                                     motion_file=motion_file, motion_node=motion_node,
                                     motion_clip=motion_clip, motion_start=motion_start,
                                     friction=friction, sticky=sticky, mass=mass,
                                     viscosity=viscosity, adhesion=adhesion,
                                     temperature=temperature, temperature_of_air=temperature_of_air,
                                     heat_transfer=heat_transfer, restitution=restitution,
                                     damping=damping, angular_damping=angular_damping,
                                     inertia=inertia)
        return self._add('collider', shape, given)

    def add_joint(self, kind: str, a: Id | Collider, b: Id | Collider | None = None, *,
                  point_b: Vector | None = None, point: Vector = (0, 0, 0),
                  axis: Vector = (0, 0, 1), angle_low: float | None = None,
                  angle_high: float | None = None, length: float = -1, stiffness: float = 0,
                  damping: float = 0, break_force: float | None = None,
                  break_torque: float | None = None, collide: bool = False) -> Id:
        """Hold collider `a`, which has a mass, to `b` or to the world: 'fixed', 'hinge' (rotation
        about `axis`), 'ball' (about `point`), 'spring', 'rope' (a largest distance) or 'rod'.
        Positions are in world coordinates, at the start.

        point_b: Where a spring, rope or rod holds `b`, when it begins [m]; None: at `point`.
        point [m]: Where the joint holds `a`, when it begins.
        axis: Direction of the axis of a hinge, at the start.
        angle_low [rad]: Smallest angle of a hinge; it is 0 at the start and grows as `a` rotates
            about the axis.
        angle_high [rad]: Largest angle of a hinge.
        length [m]: Length of a spring without force, or of a rope or rod; -1: as it is when it
            begins.
        stiffness [N/m]: Force of a spring per length.
        damping [N s/m]: Force of a spring per velocity.
        break_force [N]: Force at which the joint breaks, mean over a step.
        break_torque [N m]: Torque at which a fixed joint or a hinge breaks.
        collide: Whether `a` and `b` also collide with each other.
        """
        given: dict[str, Any] = dict(point_b=point_b, point=point, axis=axis, angle_low=angle_low,
                                     angle_high=angle_high, length=length, stiffness=stiffness,
                                     damping=damping, break_force=break_force,
                                     break_torque=break_torque, collide=collide)
        return self._add_joint(kind, a, b, given)


class SimulationKeys:
    """Arguments of functions of a simulation."""

    _add: Callable[..., Any]
    _add_joint: Callable[..., Any]
    _heights: Callable[..., Any]
    _keep_heights: Callable[..., Any]
    _surface: Callable[..., Any]

    def add_snow(self, shape: Shape, *, material: str | Id | None = None, at: Vector | None = None,
                 turned: Rotation | None = None, vary: dict[str, Any] | None = None,
                 shell: dict[str, Any] | None = None, layers: list[dict[str, Any]] | None = None,
                 velocity: Vector = (0, 0, 0), spin: Vector = (0, 0, 0),
                 particles_per_cell: float = 8, loose: float = 1, seed: int = 1,
                 temperature: float = -5, clearance: float = 1) -> Id:
        """Fill a shape with snow between two steps; velocity and spin are in world axes.

        material: Name of a material of the scene; None: the first.
        at: Where the shape's origin is put [m].
        turned: How the shape is rotated about its origin.
        vary: Factors on constants by noise or a volume: {'stiffness': {'noise_scale': 0.1,
            'noise_amount': 0.5}}; also density, hardening, compression, stretch.
        shell: Factors near the surface: {'thickness': 0.02, 'stiffness': 3}.
        layers: Factors by depth: [{'from': 0, 'to': 0.1, 'density': 0.5}].
        velocity [m/s]: Initial velocity.
        spin [rad/s]: Initial angular velocity about the centre of the shape's bounds.
        particles_per_cell: Particles per grid cell; 4 to 10 for packed snow.
        loose: Particle spacing relative to packed snow: particles keep their mass, so 2 gives an
            eighth of the density.
        seed: Seed of the sampling.
        temperature [degC]: Initial temperature; used in scenes with heat exchange.
        clearance [spacings]: Snow added to a simulation keeps this distance from existing snow; 0:
            none.
        """
        given: dict[str, Any] = dict(material=material, at=at, turned=turned, vary=vary,
                                     shell=shell, layers=layers, velocity=velocity, spin=spin,
                                     particles_per_cell=particles_per_cell, loose=loose, seed=seed,
                                     temperature=temperature, clearance=clearance)
        return self._add('snow', shape, given)

    def add_emitter(self, shape: Shape, *, material: str | Id | None = None, rate: float = 0,
                    velocity: Vector = (0, 0, 0), spread: float = 0, size: float = 0,
                    flake_size: float = 0.005, flake_density: float = 12, start: float = 0,
                    stop: float | None = None, limit: int = 0, seed: int = 1,
                    temperature: float = -5, flow: float = 0, mass: float = 0, speed: float = 0,
                    depth: float = 0) -> Id:
        """Add an emitter between two steps (mpm and sph).

        material: Name of a material of the scene; None: the first.
        rate [1/s]: Flakes per second: particles, each of which is a cube of snow of edge 'size'.
        velocity [m/s]: Velocity of a new flake.
        spread [m/s]: RMS along each axis of a random velocity that is added.
        size [m]: Edge length of the cube of snow that a particle represents, usually of many
            flakes: its mass is that of this volume of the material. sph: its spacing; mpm: half a
            cell.
        flake_size [m]: Diameter of one flake: in air a lone particle falls and drifts as its flakes
            do. 0: as a single lump, a sphere of its volume of snow.
        flake_density [kg/m^3]: Mass of one flake by the volume of its sphere. The defaults fall at
            1.0 m/s, 100 kg/m^3 at 3.4 m/s.
        start [s]: Time at which the emitter starts; the first flake appears 1/rate later.
        stop [s]: Time at which the emitter stops.
        limit: Maximum number of flakes.
        seed: Seed of positions and velocities.
        temperature [degC]: Temperature of a new flake.
        flow [kg/s]: Snow per second, instead of 'rate': as many particles as weigh that much.
        mass [kg]: Maximum mass of all flakes together, instead of 'limit'.
        speed [m/s]: Speed along the outward normal of the nearest surface of the shape, added to
            'velocity'.
        depth [m]: Flakes appear in a layer of this thickness below the surface of the shape only.
        """
        given: dict[str, Any] = dict(material=material, rate=rate, velocity=velocity, spread=spread,
                                     size=size, flake_size=flake_size, flake_density=flake_density,
                                     start=start, stop=stop, limit=limit, seed=seed,
                                     temperature=temperature, flow=flow, mass=mass, speed=speed,
                                     depth=depth)
        return self._add('emitter', shape, given)

    def add_collider(self, shape: Shape, *, keys: list[tuple[Any, ...]] | None = None,
                     position: Vector = (0, 0, 0), rotation: Rotation = (1, 0, 0, 0),
                     scale: float = 1, velocity: Vector = (0, 0, 0), spin: Vector = (0, 0, 0),
                     pivot: Vector = (0, 0, 0), linear: bool = False,
                     motion_file: str | None = None, motion_node: str | None = None,
                     motion_clip: str | None = None, motion_start: float = 0, friction: float = 0.4,
                     sticky: bool = False, mass: float = 0, viscosity: float = -1,
                     adhesion: float = 0, temperature: float | None = None,
                     temperature_of_air: bool = False, heat_transfer: float = 50,
                     restitution: float = 0, damping: float = 0, angular_damping: float = 0,
                     inertia: Vector = (0, 0, 0)) -> Id:
        """Add a collider between two steps; not in a run on disk.

        keys: Poses at times: [(time, position[, rotation[, scale]])]; they replace position,
            rotation and scale.
        position [m]: Initial position of the shape's origin.
        rotation: Initial rotation of the shape.
        scale: Scale factor of the shape, about its origin.
        velocity [m/s]: Constant velocity; of a dynamic collider: initial velocity of its centre of
            mass.
        spin [rad/s]: Constant angular velocity about the pivot; of a dynamic collider: initial
            angular velocity about its centre of mass.
        pivot [m]: Initial position of the point that 'spin' rotates about and 'velocity' moves.
        linear: Interpolate `keys` linearly instead of by a spline.
        motion_file: A glTF file whose node moves the collider.
        motion_node: The node to follow.
        motion_clip: The animation; None: the first.
        motion_start [s]: When the animation starts.
        friction: Coulomb friction coefficient; 0: frictionless.
        sticky: Snow sticks to it on contact.
        mass [kg]: Above 0: a dynamic collider of uniform density, moved by gravity, snow and other
            colliders (on the CPU; not solver ballistic). 0: a kinematic collider.
        viscosity [m^2/s]: Viscous friction of solver sph, which replaces Coulomb friction: 0 is
            frictionless, 10 sticks.
        adhesion: Strength of the attraction of nearby snow (solver sph).
        temperature [degC]: Temperature of the collider (solver sph).
        temperature_of_air: As warm as the air.
        heat_transfer [W/m^2/K]: Heat transfer coefficient between the collider and snow in contact.
        restitution: Share of the speed that contact with a dynamic collider gives back; the larger
            of the two.
        damping [1/s]: Rate at which a dynamic collider loses velocity.
        angular_damping [1/s]: Rate at which a dynamic collider loses spin.
        inertia [kg m^2]: Moments of inertia of a dynamic collider about its centre of mass, along
            the shape's axes.
        """
        given: dict[str, Any] = dict(keys=keys, position=position, rotation=rotation, scale=scale,
                                     velocity=velocity, spin=spin, pivot=pivot, linear=linear,
                                     motion_file=motion_file, motion_node=motion_node,
                                     motion_clip=motion_clip, motion_start=motion_start,
                                     friction=friction, sticky=sticky, mass=mass,
                                     viscosity=viscosity, adhesion=adhesion,
                                     temperature=temperature, temperature_of_air=temperature_of_air,
                                     heat_transfer=heat_transfer, restitution=restitution,
                                     damping=damping, angular_damping=angular_damping,
                                     inertia=inertia)
        return self._add('collider', shape, given)

    def add_joint(self, kind: str, a: Id | Collider, b: Id | Collider | None = None, *,
                  point_b: Vector | None = None, point: Vector = (0, 0, 0),
                  axis: Vector = (0, 0, 1), angle_low: float | None = None,
                  angle_high: float | None = None, length: float = -1, stiffness: float = 0,
                  damping: float = 0, break_force: float | None = None,
                  break_torque: float | None = None, collide: bool = False) -> Id:
        """Add a joint between two steps, as Scene.add_joint; it begins with the colliders as they
        are now. Not in a run on disk.

        point_b: Where a spring, rope or rod holds `b`, when it begins [m]; None: at `point`.
        point [m]: Where the joint holds `a`, when it begins.
        axis: Direction of the axis of a hinge, at the start.
        angle_low [rad]: Smallest angle of a hinge; it is 0 at the start and grows as `a` rotates
            about the axis.
        angle_high [rad]: Largest angle of a hinge.
        length [m]: Length of a spring without force, or of a rope or rod; -1: as it is when it
            begins.
        stiffness [N/m]: Force of a spring per length.
        damping [N s/m]: Force of a spring per velocity.
        break_force [N]: Force at which the joint breaks, mean over a step.
        break_torque [N m]: Torque at which a fixed joint or a hinge breaks.
        collide: Whether `a` and `b` also collide with each other.
        """
        given: dict[str, Any] = dict(point_b=point_b, point=point, axis=axis, angle_low=angle_low,
                                     angle_high=angle_high, length=length, stiffness=stiffness,
                                     damping=damping, break_force=break_force,
                                     break_torque=break_torque, collide=collide)
        return self._add_joint(kind, a, b, given)

    def heights(self, *, x: float = 0, z: float = 0, width: float = 0, depth: float = 0,
                columns: int = 256, rows: int = 256, empty: float = 0,
                tolerance: float = 0) -> SimpleNamespace:
        """Height field of the snow: heights (rows, columns) with the axes x and z [m].

        x [m]: Corner with the smallest coordinates.
        z [m]: Corner with the smallest coordinates.
        width [m]: Along x; 0: the bounding box of the snow.
        depth [m]: Along z; 0: the bounding box of the snow.
        columns: Samples along x, 2 to 16384.
        rows: Samples along z, 2 to 16384.
        empty [m]: Value where there is no snow.
        tolerance [m]: Of heights that are kept: particles that have moved by less count as at rest.
        """
        given: dict[str, Any] = dict(x=x, z=z, width=width, depth=depth, columns=columns, rows=rows,
                                     empty=empty, tolerance=tolerance)
        return self._heights(given)

    def keep_heights(self, *, x: float = 0, z: float = 0, width: float = 0, depth: float = 0,
                     columns: int = 256, rows: int = 256, empty: float = 0,
                     tolerance: float = 0) -> Heights:
        """A height field that is kept: its `update` computes only what has changed.

        x [m]: Corner with the smallest coordinates.
        z [m]: Corner with the smallest coordinates.
        width [m]: Along x; 0: the bounding box of the snow.
        depth [m]: Along z; 0: the bounding box of the snow.
        columns: Samples along x, 2 to 16384.
        rows: Samples along z, 2 to 16384.
        empty [m]: Value where there is no snow.
        tolerance [m]: Of heights that are kept: particles that have moved by less count as at rest.
        """
        given: dict[str, Any] = dict(x=x, z=z, width=width, depth=depth, columns=columns, rows=rows,
                                     empty=empty, tolerance=tolerance)
        return self._keep_heights(given)

    def surface(self, *, box: tuple[Vector, Vector] | None = None, voxel: float = 0,
                threshold: float = 0.5, anisotropic: bool = False, velocities: bool = False,
                temperatures: bool = False) -> SimpleNamespace:
        """Surface of the snow: vertices, normals, triangles; closed.

        box: Only particles in the box between two corners.
        voxel [m]: Edge of the cells; 0: 1.5 spacings.
        threshold: Share of packed snow at the surface.
        anisotropic: Smoother, and several times slower.
        velocities: Vertices have velocities.
        temperatures: Vertices have temperatures.
        """
        given: dict[str, Any] = dict(voxel=voxel, threshold=threshold, anisotropic=anisotropic,
                                     velocities=velocities, temperatures=temperatures)
        return self._surface(box, given)


class RunKeys:
    """Arguments of functions of a run."""

    _measure: Callable[..., Any]
    _export: Callable[..., Any]
    _render: Callable[..., Any]

    def measure(self, *, region: tuple[Vector, Vector] | None = None, frame_begin: int = 0,
                frame_end: int = -1, frame_step: int = 1, voxel: float = 0, threshold: float = 100,
                smallest: int = 8, by_corners: bool = False, threads: int = 0) -> SimpleNamespace:
        """Measure frames: arrays frame, time, mass, center, kinetic, fragments, largest, dust,
        force, ...

        region: Only particles in the box between two corners.
        frame_begin: First frame.
        frame_end: Last frame; -1: the last of the run.
        frame_step: Every frame_step-th frame.
        voxel [m]: Of fragments; 0: the run's cell.
        threshold [kg/m^3]: Least density inside of a fragment.
        smallest [voxels]: Smaller fragments count as dust.
        by_corners: Connect voxels by edges and corners, too.
        threads: Threads; 0: all cores.
        """
        given: dict[str, Any] = dict(frame_begin=frame_begin, frame_end=frame_end,
                                     frame_step=frame_step, voxel=voxel, threshold=threshold,
                                     smallest=smallest, by_corners=by_corners, threads=threads)
        return self._measure(region, given)

    def export(self, *, output_dir: str | PathLike[str] | None = None, ply: bool = False,
               vtp: bool = False, vdb: bool = False, heights: bool = False, z_up: bool = False,
               frame_begin: int = 0, frame_end: int = -1, frame_step: int = 1, voxel: float = 0,
               samples: int = 512, mesh: bool = False, mesh_format: int = 0, sdf: bool = False,
               colliders: bool = False, usd: bool = False, points: int = 20000) -> None:
        """Write frames in other formats.

        output_dir: None: the folder of the run.
        ply: PLY files.
        vtp: VTK XML files.
        vdb: OpenVDB volumes.
        heights: Height fields: .png (16 bits), .r32 and .json.
        z_up: (x, y, z) becomes (x, -z, y), for Blender.
        frame_begin: First frame.
        frame_end: Last frame; -1: the last of the run.
        frame_step: Every frame_step-th frame.
        voxel [m]: Of volumes; 0: half the run's cell. Of meshes; 0: half a particle spacing.
        samples: Of height fields along the longer side.
        mesh: A smooth closed surface of the snow.
        mesh_format: 0: PLY, 1: OBJ, 2: GLB (binary glTF).
        sdf: OpenVDB level sets of the same surface.
        colliders: A .glb file of all colliders and their motion.
        usd: A .usda stage: volumes, points, colliders, camera and sun.
        points: Of a stage, per frame at most; 0: none.
        """
        given: dict[str, Any] = dict(output_dir=output_dir, ply=ply, vtp=vtp, vdb=vdb,
                                     heights=heights, z_up=z_up, frame_begin=frame_begin,
                                     frame_end=frame_end, frame_step=frame_step, voxel=voxel,
                                     samples=samples, mesh=mesh, mesh_format=mesh_format, sdf=sdf,
                                     colliders=colliders, usd=usd, points=points)
        return self._export(given)

    def render(self, *, frames: Iterable[int] | None = None, set: Mapping[str, Any] | None = None,
               progress: bool | Callable[[Any], Any] = True,
               output_dir: str | PathLike[str] | None = None, frame_begin: int = 0,
               frame_end: int = -1, frame_step: int = 1, threads: int = 0, resume: bool = False,
               overwrite: bool = False, exr: bool = True, film: bool = True,
               camera: str | None = None, backend: str = 'cpu') -> SimpleNamespace:
        """Path-trace frames: pictures, and a film of several. Returns a summary: first, film, ...

        frames: Numbers of frames instead of a range.
        set: Keys of the scene to override: {'render.samples': 64}.
        progress: A bar (tqdm, if installed), or a function that is called.
        output_dir: None: 'pictures' in the folder of the run.
        frame_begin: First frame.
        frame_end: Last frame; -1: the last of the run.
        frame_step: Every frame_step-th frame.
        threads: Threads; 0: all cores.
        resume: Keep existing pictures.
        overwrite: Render existing pictures again.
        exr: Write linear radiance as .exr, too.
        film: Write an .mp4 if there are several pictures.
        camera: A camera of render.cameras, a glTF file (FILE or FILE:NAME), or '{eye: [...], ...}';
            None: the scene's.
        backend: 'cpu', or a GPU: 'cuda', 'cuda:1'.
        """
        given: dict[str, Any] = dict(output_dir=output_dir, frame_begin=frame_begin,
                                     frame_end=frame_end, frame_step=frame_step, threads=threads,
                                     resume=resume, overwrite=overwrite, exr=exr, film=film,
                                     camera=camera, backend=backend)
        return self._render(frames, set, progress, given)


def text(text: str, *, font: str = 'DejaVuSans-Bold', size: float = 0.3, depth: float = 0.1,
         spacing: float = 0, line_height: float = 1, align: str = 'left',
         voxel: float = 0.005) -> Shape:
    """Letters of a font, extruded along z; the first baseline is at y = 0.

    font: A font file, or the name of an installed font.
    size [m]: Height of capital letters.
    depth [m]: Along z.
    spacing [m]: Additional space between letters.
    line_height: Relative to the font's line height.
    align: 'left', 'center' or 'right'.
    voxel [m]: Of the level set of the letters.
    """
    given: dict[str, Any] = dict(font=font, size=size, depth=depth, spacing=spacing,
                                 line_height=line_height, align=align, voxel=voxel)
    return make_text(text, given)


def mesh(source: Any, triangles: Any = None, *, voxel: float = 0, scale: float = 1,
         z_up: bool = False, mend: bool = False, node: str | None = None,
         node_coordinates: bool = False) -> Shape:
    """A solid from a file (.obj, .ply, .stl, .gltf, .glb), or from vertices (n, 3) and triangles
    (m, 3).

    voxel [m]: Of the level set; 0: chosen.
    scale: Factor on the coordinates.
    z_up: z points up in the mesh, not y.
    mend: Repair a mesh that is open or intersects itself.
    node: glTF: only the meshes at and below this node.
    node_coordinates: In the node's own coordinates, as a motion by the same node needs them.
    """
    given: dict[str, Any] = dict(voxel=voxel, scale=scale, z_up=z_up, mend=mend, node=node,
                                 node_coordinates=node_coordinates)
    return make_mesh(source, triangles, given)


def simulation_options(*, threads: int = 0, backend: str = 'cpu', simd: str | None = None,
                       run_ahead: int = 0, output_dir: str | PathLike[str] | None = None,
                       frame_end: int = -1, resume: bool = False, overwrite: bool = False,
                       particles_max: int = 0, memory_cap_bytes: int = 0) -> dict[str, Any]:
    """Options of Simulation.

    threads: Threads; 0: all cores. Results do not depend on it.
    backend: 'cpu', or a GPU: 'cuda', 'cuda:1'.
    simd: None: the best of the machine; 'baseline', 'x86-64-v3', 'x86-64-v4', 'plain'.
    run_ahead: Steps that a device may have in flight; 0: chosen.
    output_dir: Folder of a run; None: nothing is written.
    frame_end: Last frame; -1: the scene's last frame.
    resume: Continue from the newest checkpoint of the folder.
    overwrite: Delete an existing run in the folder first.
    particles_max: Memory for so many particles is allocated at creation; 0: as the scene needs.
    memory_cap_bytes [bytes]: Refuse to use more; 0: no limit.
    """
    given: dict[str, Any] = dict(threads=threads, backend=backend, simd=simd, run_ahead=run_ahead,
                                 output_dir=output_dir, frame_end=frame_end, resume=resume,
                                 overwrite=overwrite, particles_max=particles_max,
                                 memory_cap_bytes=memory_cap_bytes)
    return given
