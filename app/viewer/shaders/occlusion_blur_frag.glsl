// One direction of a separable bilateral blur.
in vec2 v_uv;
uniform sampler2D occlusion_map;
layout(location = 0) out vec2 out_open;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(occlusion_map, 0) - 1;
    vec2 own = texelFetch(occlusion_map, at, 0).xy;
    float sum = own.x, weight = 1.0;
    for (int k = -3; k <= 3; k++) {
        if (k == 0) continue;
        ivec2 there = clamp(at + k * ivec2(option.xy), ivec2(0), last);
        vec2 other = texelFetch(occlusion_map, there, 0).xy;
        float difference = abs(other.y - own.y) / (0.04 * own.y + 0.5 * snow.w);
        float w = exp(-0.12 * float(k * k)) * max(1.0 - difference, 0.0);
        sum += w * other.x;
        weight += w;
    }
    out_open = vec2(sum / weight, own.y);
}
