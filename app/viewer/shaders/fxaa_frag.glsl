// Antialiasing: blurs along edges of high luma contrast, after Lottes 2009 (FXAA).
in vec2 v_uv;
uniform sampler2D picture_map;
layout(location = 0) out vec4 out_picture;

vec4 at(vec2 o)
{
    return texture(picture_map, v_uv + o * size.zw);
}

void main()
{
    vec4 own = at(vec2(0.0));
    float nw = at(vec2(-1.0, 1.0)).a, ne = at(vec2(1.0, 1.0)).a;
    float sw = at(vec2(-1.0, -1.0)).a, se = at(vec2(1.0, -1.0)).a;
    float low = min(own.a, min(min(nw, ne), min(sw, se)));
    float high = max(own.a, max(max(nw, ne), max(sw, se)));
    out_picture = vec4(own.rgb, 1.0);
    if (high - low < max(0.04, 0.12 * high)) return;
    vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    along /= max(min(abs(along.x), abs(along.y)) + 0.02, 1e-4);
    along = clamp(along, -4.0, 4.0);
    vec4 close = 0.5 * (at(along * (-1.0 / 6.0)) + at(along * (1.0 / 6.0)));
    vec4 broad = 0.5 * close + 0.25 * (at(along * -0.5) + at(along * 0.5));
    bool beyond = broad.a < low || broad.a > high;
    out_picture = vec4((beyond ? close : broad).rgb, 1.0);
}
