// Integer hash pcg3d of Jarzynski and Olano 2020, "Hash functions for GPU rendering".
uvec3 hash3(uvec3 v)
{
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

vec3 hash_unit(ivec3 cell)
{
    return vec3(hash3(uvec3(cell))) * (1.0 / 4294967296.0);
}

// Gradient noise in about -1..1 with unit lattice spacing.
float noise(vec3 x)
{
    vec3 base = floor(x), f = x - base;
    ivec3 cell = ivec3(base);
    vec3 w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    float corner[8];
    for (int k = 0; k < 8; k++) {
        ivec3 o = ivec3(k & 1, (k >> 1) & 1, k >> 2);
        corner[k] = dot(hash_unit(cell + o) * 2.0 - 1.0, f - vec3(o));
    }
    vec4 a = mix(vec4(corner[0], corner[2], corner[4], corner[6]),
                 vec4(corner[1], corner[3], corner[5], corner[7]), w.x);
    vec2 b = mix(a.xz, a.yw, w.y);
    return mix(b.x, b.y, w.z) * 1.4;
}

// Interleaved gradient noise (Jimenez 2014).
float dither(vec2 pixel)
{
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}
