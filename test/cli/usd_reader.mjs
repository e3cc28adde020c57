// Reads a .usda stage with tinyusdz, checks what it makes of it, and writes it again:
//     node usd_reader.mjs STAGE AGAIN
// tinyusdz is compiled for browsers; it needs no more of one than that its globals are there.
import fs from "fs";
import { createRequire } from "module";
import { pathToFileURL } from "url";

globalThis.window = globalThis;
globalThis.self = globalThis;
process.type = "renderer";
const program = createRequire(import.meta.url).resolve("tinyusdz/tinyusdz.js");
const create = (await import(pathToFileURL(program))).default;
const tiny = await create({wasmBinary: fs.readFileSync(program.replace(/js$/, "wasm"))});
const stage = new Uint8Array(fs.readFileSync(process.argv[2]));

const layer = new tiny.TinyUSDZLoaderNative();
if (!layer.loadAsLayerFromBinary(stage, "stage.usda")) throw new Error(layer.error());
fs.writeFileSync(process.argv[3], layer.layerToString());

const scene = new tiny.TinyUSDZLoaderNative();
if (!scene.loadFromBinary(stage, "stage.usda")) throw new Error(scene.error());
const meshes = [];
for (let k = 0; k < scene.numMeshes(); k++) {
    const mesh = scene.getMesh(k);
    if (mesh.faceVertexIndices.length < 6) throw new Error(`${mesh.absPath} has no triangles`);
    meshes.push(mesh.absPath);
}
const expected = [0, 1, 2, 3].map(k => `/World/colliders/collider_${k}/mesh`);
if (meshes.join() !== expected.join()) throw new Error(`meshes: ${meshes}`);
