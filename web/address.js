// SPDX-License-Identifier: MIT
// A scene in the page's address, so that a link shares it: the name of one of the gallery and what
// was changed in it, #scene=field&set=gravity=[0,-1.62,0], or a scene's text, compressed,
// #yaml=….

const TEXT_MAX = 200000;  // [characters] of a scene: a link must not fill the memory

const toBase64 = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const fromBase64 = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function compress(text) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

async function decompress(text) {
    const reader = new Blob([fromBase64(text)]).stream()
        .pipeThrough(new DecompressionStream("deflate-raw"))
        .pipeThrough(new TextDecoderStream()).getReader();
    let all = "";
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return all;
        all += value;
        if (all.length > TEXT_MAX) throw new Error("the scene in this link is too long");
    }
}

// { name, yaml or null, overrides } as the part of an address after #.
export async function writeAddress({ name, yaml, overrides }) {
    const parts = new URLSearchParams();
    if (yaml !== null) parts.set("yaml", await compress(yaml));
    else parts.set("scene", name);
    overrides.forEach((line) => parts.append("set", line));
    return "#" + parts;
}

// The inverse. Throws what to tell the visitor if the text was damaged.
export async function readAddress(hash) {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    const overrides = parts.getAll("set")
        .filter((line) => line.includes("=") && !line.includes("\n"));
    const packed = parts.get("yaml");
    if (packed === null) return { name: parts.get("scene"), yaml: null, overrides };
    try {
        return { name: null, yaml: await decompress(packed), overrides };
    } catch {
        throw new Error("The scene in this link is damaged or too long.");
    }
}
