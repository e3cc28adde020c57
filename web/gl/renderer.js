// SPDX-License-Identifier: MIT
// Draws a frame with WebGL2, pass by pass as the window does (app/viewer/draw/draw_parts.h has the
// drawing): a G-buffer of bodies, ground and the smoothed surface of the snow, lit once per pixel.
import {
    axes, dot, matrixInto, perspective, poseMatrix, sub, unit as unitVector,
} from "./matrix.js";
import { Programs, unit } from "./programs.js";
import { createShadow, fitShadow } from "./shadow.js";
import { createTarget, destroyTarget } from "./targets.js";

const ROW = 1024;            // particles in a row of the textures; sphere_fetch.glsl has the same
const RADIUS_SCALE = 1.3;    // so that touching spheres form a closed surface
const SURFACE_MARGIN = 0.06; // of the picture's height: half the maximum filter reach
const PASSES = 3;
const PASSES_MAX = 5;

// What this browser lacks, as a sentence for the visitor; null: nothing.
export function lacks(gl) {
    if (gl === null)
        return "This browser has no WebGL 2, or it is switched off. It draws the snow.";
    if (gl.getExtension("EXT_color_buffer_float") === null)
        return "This graphics driver cannot draw into textures of floats (EXT_color_buffer_float).";
    return null;
}

export class Renderer {
    constructor(canvas) {
        const gl = canvas.getContext("webgl2", {
            alpha: false, antialias: false, depth: false, powerPreference: "high-performance",
            preserveDrawingBuffer: false,
        });
        const missing = lacks(gl);
        if (missing !== null) throw new Error(missing);
        this.gl = gl;
        const info = gl.getExtension("WEBGL_debug_renderer_info");
        const name = gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL);
        this.software = /SwiftShader|llvmpipe|softpipe|Software|Basic Render/i.test(name);
        this.quick = this.software;  // fewer passes; app.js may change it
        this.programs = new Programs(gl);
        this.screen = gl.createVertexArray();
        this.constants = gl.createBuffer();
        this.meshes = new Map();  // by index of the body
        this.snow = { count: 0, rows: 0, positions: null, radii: null, phases: null };
        this.targets = null;
        this.shadow = createShadow(gl, this.software ? 512 : 2048);
    }

    fitTargets(width, height) {
        const gl = this.gl;
        if (this.targets?.width === width && this.targets.height === height) return this.targets;
        if (this.targets !== null)
            Object.values(this.targets).flat().filter((t) => t.frame)
                .forEach((t) => destroyTarget(gl, t));
        const margin = Math.floor(SURFACE_MARGIN * height) + 2;
        const full = [width + 2 * margin, height + 2 * margin];
        const half = [(width + 1) >> 1, (height + 1) >> 1];
        const twice = (size, def) => [0, 1].map(() => createTarget(gl, ...size, def));
        const depth = gl.DEPTH_COMPONENT32F;
        this.targets = {
            width, height, margin,
            gbuffer: createTarget(gl, width, height, { colours: [gl.RGBA8, gl.RGBA16F], depth }),
            surface: createTarget(gl, ...full, { colours: [gl.R32F, gl.RGBA8], depth }),
            smooth: twice(full, { colours: [gl.R32F] }),
            thickness: createTarget(gl, width, height, { colours: [gl.R16F], filter: gl.LINEAR }),
            occlusion: twice(half, { colours: [gl.RG16F] }),
            light: twice([width, height], { colours: [gl.RGBA16F], filter: gl.LINEAR }),
            picture: createTarget(gl, width, height, { colours: [gl.RGBA8], filter: gl.LINEAR }),
        };
        return this.targets;
    }

    // ---- snow and bodies ------------------------------------------------------------------------

    upload(name, internal, format, type, data, rows) {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE0 + unit[name]);
        if (this.snow[name] === null || this.snow.rows !== rows) {
            gl.deleteTexture(this.snow[name]);
            this.snow[name] = gl.createTexture();
            gl.bindTexture(gl.TEXTURE_2D, this.snow[name]);
            gl.texStorage2D(gl.TEXTURE_2D, 1, internal, ROW, rows);
            gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
            gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
        } else {
            gl.bindTexture(gl.TEXTURE_2D, this.snow[name]);
        }
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ROW, rows, format, type, data);
    }

    // { count, rows, positions, radii or null, radius, phases or null, low, high, hasWater,
    // hasSolid }: arrays have `rows` rows of ROW particles.
    setSnow(snow) {
        const gl = this.gl;
        if (snow.count > 0) {
            this.upload("positions", gl.RGB32F, gl.RGB, gl.FLOAT, snow.positions, snow.rows);
            if (snow.radii !== null)
                this.upload("radii", gl.R32F, gl.RED, gl.FLOAT, snow.radii, snow.rows);
            if (snow.phases !== null)
                this.upload("phases", gl.R8UI, gl.RED_INTEGER, gl.UNSIGNED_BYTE, snow.phases,
                    snow.rows);
        }
        const { positions, radii, phases } = this.snow;
        this.snow = {
            positions, radii, phases, count: snow.count, rows: snow.rows, radius: snow.radius,
            low: snow.low, high: snow.high, hasRadii: snow.radii !== null,
            hasPhases: snow.phases !== null, hasWater: snow.hasWater, hasSolid: snow.hasSolid,
        };
    }

    setMesh(body, { vertices, normals, triangles }) {
        const gl = this.gl;
        this.removeMesh(body);
        if (triangles.length === 0) return;
        const mesh = { array: gl.createVertexArray(), buffers: [], count: triangles.length };
        gl.bindVertexArray(mesh.array);
        [vertices, normals].forEach((data, k) => {
            mesh.buffers.push(gl.createBuffer());
            gl.bindBuffer(gl.ARRAY_BUFFER, mesh.buffers[k]);
            gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
            gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 0, 0);
            gl.enableVertexAttribArray(k);
        });
        mesh.buffers.push(gl.createBuffer());
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.buffers[2]);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
        gl.bindVertexArray(null);
        this.meshes.set(body, mesh);
    }

    removeMesh(body) {
        const mesh = this.meshes.get(body);
        if (mesh === undefined) return;
        mesh.buffers.forEach((buffer) => this.gl.deleteBuffer(buffer));
        this.gl.deleteVertexArray(mesh.array);
        this.meshes.delete(body);
    }

    removeMeshes() {
        for (const body of [...this.meshes.keys()]) this.removeMesh(body);
    }

    // ---- constants of the frame -----------------------------------------------------------------

    setConstants({ orbit, sun, bodies, width, height }) {
        const gl = this.gl, s = this.snow;
        const [tanX, tanY] = orbit.tangents(width / height);
        const eye = orbit.eye, distance = orbit.distance, near = 0.01 * distance;
        const shadow = fitShadow(this.shadow.width, sun, s, bodies);
        this.lens = { distance, pixels: 0.5 * height / tanY };
        const numbers = new Float32Array([
            ...matrixInto(axes(sub(eye, orbit.target)), eye), ...perspective(tanX, tanY, near),
            ...shadow.light, ...eye, near, ...unitVector(sun), 1,
            width, height, 1 / width, 1 / height, tanX, tanY, distance, this.lens.pixels,
            s.radius, s.hasRadii ? 1 : 0, s.hasPhases ? 1 : 0, s.radius, 0, 0, 0, 1,
            Math.max(0.2 * tanY * distance, 4 * s.radius), shadow.texel, shadow.depth, 0,
        ]);
        gl.bindBuffer(gl.UNIFORM_BUFFER, this.constants);
        gl.bufferData(gl.UNIFORM_BUFFER, numbers, gl.STREAM_DRAW);
        gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.constants);
    }

    // ---- passes ---------------------------------------------------------------------------------

    use(name, ...option) {
        const { program, locations } = this.programs.get(name);
        this.gl.useProgram(program);
        const [a = 0, b = 0, c = 0, d = 0] = option;
        if (locations.option !== undefined) this.gl.uniform4f(locations.option, a, b, c, d);
        return locations;
    }

    bind(name, texture) {
        this.gl.activeTexture(this.gl.TEXTURE0 + unit[name]);
        this.gl.bindTexture(this.gl.TEXTURE_2D, texture);
    }

    into(target) {
        this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, target.frame);
        this.gl.viewport(0, 0, target.width, target.height);
    }

    drawScreen() {
        this.gl.bindVertexArray(this.screen);
        this.gl.drawArrays(this.gl.TRIANGLES, 0, 3);
    }

    drawSpheres(name, water, scale, target) {
        const gl = this.gl, s = this.snow, t = this.targets;
        if (s.count === 0 || !(water ? s.hasWater : s.hasSolid)) return;
        this.use(name, scale, water ? 1 : 0, t.width / target.width, t.height / target.height);
        this.bind("positions", s.positions);
        this.bind("radii", s.radii);
        this.bind("phases", s.phases);
        gl.bindVertexArray(this.screen);
        gl.drawArrays(gl.TRIANGLES, 0, 3 * s.count);
    }

    drawBodies(name, bodies, marked) {
        const gl = this.gl, locations = this.use(name);
        bodies.forEach((body, k) => {
            const mesh = this.meshes.get(k);
            if (mesh === undefined || !body.visible) return;
            gl.uniformMatrix4fv(locations.pose, false, poseMatrix(body));
            if (locations.colour !== undefined)
                gl.uniform4f(locations.colour, ...body.colour, k === marked ? 1 : 0);
            gl.bindVertexArray(mesh.array);
            gl.drawElements(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0);
        });
    }

    drawShadow(bodies) {
        const gl = this.gl;
        this.into(this.shadow);
        gl.enable(gl.DEPTH_TEST);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        this.drawBodies("colliderShadow", bodies, -1);
        this.drawSpheres("sphereShadow", false, 1, this.shadow);
    }

    // Draws spheres and smooths their inverse depth; returns the texture.
    smoothSurface(water) {
        const gl = this.gl, t = this.targets;
        this.into(t.surface);
        gl.enable(gl.DEPTH_TEST);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        this.drawSpheres("sphereDepth", water, RADIUS_SCALE, t.surface);
        gl.disable(gl.DEPTH_TEST);
        // For particles that are large on screen the filter's samples are far apart: add passes.
        const pixels = this.snow.radius * this.lens.pixels / this.lens.distance;
        let passes = this.quick ? 1 : PASSES;
        for (let r = 8; r < pixels && passes < (this.quick ? 2 : PASSES_MAX); r *= 2) passes++;
        let texture = t.surface.colours[0];
        const over = (target) => {
            this.into(target);
            this.bind("inv_depth_map", texture);
            this.drawScreen();
            texture = target.colours[0];
        };
        for (let k = 0; k < 2 * passes; k++) {
            const closes = k === 0 || k === 2;
            this.use("smooth", 1 - k % 2, k % 2, 1 / (1 << (k >> 1)), closes ? 1 : 0);
            over(t.smooth[k % 2]);
        }
        this.use("median");
        over(t.smooth[0]);
        return texture;
    }

    drawGround(bodies, eye) {
        const gl = this.gl, locations = this.use("ground");
        for (const body of bodies) {
            if (body.bounded || !body.visible) continue;
            const n = unitVector(body.normal), level = dot(n, body.point);
            if (dot(n, eye) <= level) continue;  // seen from behind
            gl.uniform4f(locations.plane, ...n, level);
            gl.uniform3f(locations.colour, ...body.colour);
            this.drawScreen();
        }
    }

    drawGbuffer({ bodies, marked, orbit }) {
        const gl = this.gl, t = this.targets;
        const texture = this.smoothSurface(false);
        this.into(t.gbuffer);
        gl.enable(gl.DEPTH_TEST);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.CULL_FACE);
        this.drawBodies("collider", bodies, marked);
        gl.disable(gl.CULL_FACE);
        this.use("surface", t.margin);
        this.bind("inv_depth_map", texture);
        this.bind("grain_map", t.surface.colours[1]);
        this.drawScreen();
        this.drawGround(bodies, orbit.eye);
    }

    drawLight() {
        const gl = this.gl, t = this.targets;
        gl.disable(gl.DEPTH_TEST);
        this.bind("depth_map", t.gbuffer.depth);
        this.bind("albedo_map", t.gbuffer.colours[0]);
        this.bind("normal_map", t.gbuffer.colours[1]);
        this.bind("shadow_map", this.shadow.depth);
        this.into(t.occlusion[0]);
        this.use("occlusion");
        this.drawScreen();
        for (let k = 0; k < 2; k++) {
            this.into(t.occlusion[1 - k]);
            this.use("occlusionBlur", k === 0 ? 1 : 0, k);
            this.bind("occlusion_map", t.occlusion[k].colours[0]);
            this.drawScreen();
        }
        this.into(t.light[0]);
        this.bind("occlusion_map", t.occlusion[0].colours[0]);
        this.use("light");
        this.drawScreen();
    }

    drawWater() {
        const gl = this.gl, t = this.targets;
        const texture = this.smoothSurface(true);
        this.into(t.thickness);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE);
        this.bind("depth_map", t.gbuffer.depth);
        this.drawSpheres("sphereThickness", true, 1, t.thickness);
        gl.disable(gl.BLEND);
        this.into(t.light[1]);
        this.use("water", t.margin);
        this.bind("inv_depth_map", texture);
        this.bind("thickness_map", t.thickness.colours[0]);
        this.bind("light_map", t.light[0].colours[0]);
        this.drawScreen();
    }

    // How long the last picture took [ms], once; 0: there is none; null: it is not finished.
    finished() {
        const gl = this.gl;
        if (this.fence === undefined) return 0;
        if (gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED) return null;
        this.forgetPicture();
        return Math.max(performance.now() - this.begun, 0.01);
    }

    forgetPicture() {
        this.gl.deleteSync(this.fence);
        this.fence = undefined;
    }

    // { orbit, sun, bodies, marked: index of the body to outline, width, height [pixels] }. The
    // canvas has this size.
    draw(frame) {
        const gl = this.gl;
        this.begun = performance.now();
        const t = this.fitTargets(frame.width, frame.height);
        gl.disable(gl.BLEND);
        gl.disable(gl.CULL_FACE);
        gl.depthFunc(gl.LESS);
        gl.depthMask(true);
        this.setConstants(frame);
        this.drawShadow(frame.bodies);
        this.drawGbuffer(frame);
        this.drawLight();
        if (this.snow.hasWater) this.drawWater();
        const screen = { frame: null, width: frame.width, height: frame.height };
        this.into(this.quick ? screen : t.picture);
        this.use("tone");
        this.bind("light_map", t.light[this.snow.hasWater ? 1 : 0].colours[0]);
        this.bind("normal_map", t.gbuffer.colours[1]);
        this.drawScreen();
        if (!this.quick) {  // a coarse picture, enlarged by the browser, has no sharp edges
            this.into(screen);
            this.use("fxaa");
            this.bind("picture_map", t.picture.colours[0]);
            this.drawScreen();
        }
        if (this.fence === undefined) this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl.flush();
    }
}
