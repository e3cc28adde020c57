// Screen-space ambient occlusion from depth: samples on a spiral, weighted by their elevation above
// the pixel's tangent plane (after McGuire et al. 2012, "Scalable ambient obscurance"). Half
// resolution. Writes ambient visibility and distance.
in vec2 v_uv;
uniform sampler2D depth_map, normal_map;
layout(location = 0) out vec2 out_open;

const int SAMPLES = 14;
const float TURNS = 5.0;

void main()
{
    ivec2 last = ivec2(size.xy) - 1;
    ivec2 at = min(2 * ivec2(gl_FragCoord.xy), last);
    float inv_depth = inv_depth_of(texelFetch(depth_map, at, 0).x);
    out_open = vec2(1.0, 6e4);
    if (inv_depth < 1e-4) return;
    vec2 uv = (vec2(at) + 0.5) * size.zw;
    vec3 x = ray_of(uv) / inv_depth;
    vec3 n = mat3(view) * texelFetch(normal_map, at, 0).xyz;
    float reach = shade.x;
    float pixels = reach * lens.w * inv_depth;
    out_open.y = min(1.0 / inv_depth, 6e4);
    if (pixels < 1.5) return;
    pixels = min(pixels, 0.25 * size.y);
    float turn = 6.2831853 * dither(gl_FragCoord.xy), sum = 0.0;
    for (int k = 0; k < SAMPLES; k++) {
        float s = (float(k) + 0.5) / float(SAMPLES);
        float angle = turn + s * TURNS * 6.2831853;
        // denser near the centre, because contacts matter most
        ivec2 o = ivec2(vec2(cos(angle), sin(angle)) * max(pixels * s * s, 1.5 + 3.0 * s));
        ivec2 there = clamp(at + o, ivec2(0), last);
        float other = inv_depth_of(texelFetch(depth_map, there, 0).x);
        if (other < 1e-5) continue;
        vec3 d = ray_of((vec2(there) + 0.5) * size.zw) / other - x;
        float far2 = dot(d, d), rise = dot(d, n);
        float fade = max(1.0 - far2 / (reach * reach), 0.0);
        sum += fade * fade * max(rise - 0.002 / inv_depth, 0.0) * inversesqrt(far2 + 1e-9);
    }
    out_open.x = clamp(1.0 - 2.4 * sum / float(SAMPLES), 0.0, 1.0);
}
