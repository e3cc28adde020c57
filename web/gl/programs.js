// SPDX-License-Identifier: MIT
// Shader programs of all passes: the window's, in GLSL ES (app/viewer/draw/draw_programs.c).
import { shaders } from "./shaders.js";

const HEADER = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DShadow;
precision highp usampler2D;
`;

// Texture units, by the names of the samplers.
const SAMPLERS = [
    "positions", "radii", "values", "phases", "scale_colours", "depth_map", "albedo_map",
    "normal_map", "shadow_map", "occlusion_map", "inv_depth_map", "grain_map", "light_map",
    "thickness_map", "picture_map",
];
export const unit = Object.fromEntries(SAMPLERS.map((name, k) => [name, k]));

const SPHERE = ["frame", "sphere_fetch", "hash", "sphere_vert"];
const SCREEN = ["screen_vert"];
const PROGRAMS = {
    sphereDepth: [SPHERE, ["frame", "sphere_hit", "sphere_depth_frag"]],
    sphereThickness: [SPHERE, ["frame", "sphere_hit", "sphere_thickness_frag"]],
    sphereShadow: [["frame", "sphere_fetch", "sphere_shadow_vert"], ["sphere_shadow_frag"]],
    collider: [["frame", "collider_vert"], ["frame", "collider_frag"]],
    colliderShadow: [["frame", "collider_shadow_vert"], ["collider_shadow_frag"]],
    ground: [SCREEN, ["frame", "ground_frag"]],
    smooth: [SCREEN, ["frame", "smooth_frag"]],
    median: [SCREEN, ["median_frag"]],
    surface: [SCREEN, ["frame", "hash", "surface_slope", "surface_frag"]],
    occlusion: [SCREEN, ["frame", "hash", "occlusion_frag"]],
    occlusionBlur: [SCREEN, ["frame", "occlusion_blur_frag"]],
    light: [SCREEN, ["frame", "hash", "sky", "shadow", "light_frag"]],
    water: [SCREEN, ["frame", "hash", "sky", "shadow", "surface_slope", "water_frag"]],
    tone: [SCREEN, ["frame", "hash", "tone_frag"]],
    fxaa: [SCREEN, ["frame", "fxaa_frag"]],
};
const LATER = new Set(["sphereThickness", "water"]);

function compile(gl, kind, pieces) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, HEADER + pieces.map((name) => shaders[name]).join(""));
    gl.compileShader(shader);
    return shader;
}

function link(gl, [vertex, fragment]) {
    const parts = [
        compile(gl, gl.VERTEX_SHADER, vertex), compile(gl, gl.FRAGMENT_SHADER, fragment),
    ];
    const program = gl.createProgram();
    parts.forEach((part) => gl.attachShader(program, part));
    gl.linkProgram(program);
    return { program, parts };
}

// Finds the uniforms; throws the driver's sentence if it did not compile.
function finish(gl, name, { program, parts }) {
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
        const logs = parts.map((part) => gl.getShaderInfoLog(part)).join("");
        throw new Error(`shader ${name}: ${logs || gl.getProgramInfoLog(program)}`);
    }
    parts.forEach((part) => gl.deleteShader(part));
    const locations = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    gl.useProgram(program);
    for (let k = 0; k < count; k++) {
        const uniform = gl.getActiveUniform(program, k).name;
        const location = gl.getUniformLocation(program, uniform);
        if (location === null) continue;
        if (uniform in unit) gl.uniform1i(location, unit[uniform]);
        else locations[uniform] = location;
    }
    const block = gl.getUniformBlockIndex(program, "Frame");
    if (block !== gl.INVALID_INDEX) gl.uniformBlockBinding(program, block, 0);
    return { program, locations };
}

// Programs by name: { program, locations }. Drivers may compile them at the same time; those of
// water wait until there is some.
export class Programs {
    #gl;
    #started = {};
    #ready = {};

    constructor(gl) {
        this.#gl = gl;
        for (const name of Object.keys(PROGRAMS))
            if (!LATER.has(name)) this.#started[name] = link(gl, PROGRAMS[name]);
    }

    finishAll() {
        Object.keys(this.#started).forEach((name) => this.get(name));
    }

    get(name) {
        const started = () => this.#started[name] ?? link(this.#gl, PROGRAMS[name]);
        this.#ready[name] ??= finish(this.#gl, name, started());
        return this.#ready[name];
    }
}
