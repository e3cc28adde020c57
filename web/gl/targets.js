// SPDX-License-Identifier: MIT
// Textures to draw into.

function texture(gl, format, width, height, filter) {
    const id = gl.createTexture();
    gl.activeTexture(gl.TEXTURE15);  // no pass reads this unit
    gl.bindTexture(gl.TEXTURE_2D, id);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return id;
}

function attach(gl, where, id) {
    gl.framebufferTexture2D(gl.FRAMEBUFFER, where, gl.TEXTURE_2D, id, 0);
}

// { colours: formats, depth: a format or 0, filter }
export function createTarget(gl, width, height, { colours = [], depth = 0, filter = gl.NEAREST }) {
    const target = { width, height, colours: [], depth: null, frame: gl.createFramebuffer() };
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.frame);
    colours.forEach((format, k) => {
        target.colours.push(texture(gl, format, width, height, filter));
        attach(gl, gl.COLOR_ATTACHMENT0 + k, target.colours[k]);
    });
    if (depth !== 0) {
        target.depth = texture(gl, depth, width, height, gl.NEAREST);
        attach(gl, gl.DEPTH_ATTACHMENT, target.depth);
    }
    gl.drawBuffers(colours.map((_, k) => gl.COLOR_ATTACHMENT0 + k));
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE)
        throw new Error("the graphics driver cannot draw into textures of floats");
    return target;
}

export function destroyTarget(gl, target) {
    target.colours.forEach((id) => gl.deleteTexture(id));
    gl.deleteTexture(target.depth);
    gl.deleteFramebuffer(target.frame);
}
