// Tone mapping to sRGB: linear up to mid-tones, then a shoulder that keeps the contrast of sunlit
// snow. Outline of the dragged collider. Luma in alpha, for FXAA.
in vec2 v_uv;
uniform sampler2D light_map, normal_map;
layout(location = 0) out vec4 out_picture;

vec3 shoulder(vec3 x)
{
    const float knee = 0.45;
    x *= 0.84;
    vec3 over = max(x - knee, 0.0);
    return min(x, knee) + (1.0 - knee) * (over / (over + (1.0 - knee))) * 1.12;
}

vec3 encode(vec3 x)
{
    x = clamp(x, 0.0, 1.0);
    return mix(12.92 * x, 1.055 * pow(max(x, 1e-6), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
}

float outline(ivec2 at)
{
    ivec2 last = ivec2(size.xy) - 1;
    bool own = round(texelFetch(normal_map, at, 0).w) == MARKED;
    int width = int(clamp(size.y / 360.0, 1.0, 4.0)), found = 0;
    for (int k = 0; k < 8; k++) {
        vec2 o = vec2(cos(float(k) * 0.7853982), sin(float(k) * 0.7853982)) * float(width) * 1.4;
        float kind = texelFetch(normal_map, clamp(at + ivec2(round(o)), ivec2(0), last), 0).w;
        found += int((round(kind) == MARKED) != own);
    }
    return min(float(found) / 3.0, 1.0);
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 picture = encode(shoulder(texelFetch(light_map, at, 0).rgb));
    picture = mix(picture, vec3(1.0, 0.62, 0.13), 0.9 * outline(at));
    picture += (dither(gl_FragCoord.xy) - 0.5) / 255.0;  // against banding
    out_picture = vec4(picture, dot(picture, vec3(0.299, 0.587, 0.114)));
}
