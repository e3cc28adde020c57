// Median of a pixel and its eight neighbours: takes away the lines, one pixel wide, that a filter of
// two directions leaves where its neighbours end. Places without snow count as the pixel itself.
in vec2 v_place;
uniform sampler2D nearness_map;
layout(location = 0) out float out_nearness;

float own;

vec3 row(ivec2 at)
{
    vec3 v;
    for (int k = 0; k < 3; k++) {
        float x = texelFetch(nearness_map, at + ivec2(k - 1, 0), 0).x;
        v[k] = x > 0.0 ? x : own;
    }
    return v;
}

vec3 middle(vec3 a, vec3 b, vec3 c)
{
    return max(min(a, b), min(max(a, b), c));
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    own = texelFetch(nearness_map, at, 0).x;
    out_nearness = own;
    ivec2 last = textureSize(nearness_map, 0) - 1;
    if (own <= 0.0 || any(equal(at, ivec2(0))) || any(equal(at, last))) return;
    // columns sorted; the median is among their greatest least, middle middle and least greatest
    vec3 a = row(at - ivec2(0, 1)), b = row(at), c = row(at + ivec2(0, 1));
    vec3 least = min(a, min(b, c)), most = max(a, max(b, c)), between = middle(a, b, c);
    float x = max(least.x, max(least.y, least.z)), z = min(most.x, min(most.y, most.z));
    float y = max(min(between.x, between.y), min(max(between.x, between.y), between.z));
    out_nearness = max(min(x, y), min(max(x, y), z));
}
