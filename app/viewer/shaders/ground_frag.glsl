// An infinite plane with a grid: lines every metre, finer ones every tenth where one is close. Lines
// fade before they are narrower than a pixel.
in vec2 v_place;
uniform vec4 plane;   // unit normal in the world; place along it [m]
uniform vec3 colour;  // linear
layout(location = 0) out vec4 out_look;
layout(location = 1) out vec4 out_normal;

// Share of a pixel of size `pixel` [m] along both axes that lines of `width` every `step` [m] cover.
float lines(vec2 at, vec2 pixel, float step, float width)
{
    vec2 apart = abs(fract(at / step + 0.5) - 0.5) * step;
    vec2 cover = clamp((0.5 * (width + pixel) - apart) / pixel, 0.0, 1.0) * min(width / pixel, 1.0);
    vec2 fade = clamp(1.5 - 4.0 * pixel / step, 0.0, 1.0);
    cover *= fade;
    return max(cover.x, cover.y);
}

void main()
{
    vec3 ray = to_world(ray_of(v_place));
    float fall = -dot(ray, plane.xyz);
    if (fall <= 1e-6) discard;
    float distance = (dot(eye.xyz, plane.xyz) - plane.w) / fall;
    if (distance <= eye.w) discard;
    gl_FragDepth = min(depth_of(distance), 0.99999994);
    vec3 x = eye.xyz + ray * distance;
    // two axes in the plane, along the world's where it is level
    vec3 u = normalize(abs(plane.y) > 0.5 ? vec3(plane.y, -plane.x, 0.0) : vec3(plane.z, 0.0, -plane.x));
    vec3 v = cross(plane.xyz, u);
    vec2 at = vec2(dot(x, u), dot(x, v));
    // a pixel on the plane: longer along the direction one looks in
    float wide = distance / lens.w;
    float slant = 1.0 / max(fall * inversesqrt(dot(ray, ray)), 1e-3);
    vec3 level = normalize(ray + fall * plane.xyz + 1e-9 * u);
    vec2 pixel = wide * (1.0 + (slant - 1.0) * abs(vec2(dot(level, u), dot(level, v))));
    float grid = 0.55 * lines(at, pixel, 1.0, 0.012);
    grid = max(grid, 0.22 * lines(at, pixel, 0.1, 0.004));
    // fields of a metre differ a little, until they are too small to tell
    vec2 inside = clamp(2.0 * (0.5 - abs(fract(at) - 0.5)) / pixel, 0.0, 1.0);
    vec2 side = inside * (2.0 * step(0.5, fract(0.5 * at)) - 1.0);
    float checker = side.x * side.y * clamp(1.3 - 4.0 * max(pixel.x, pixel.y), 0.0, 1.0);
    vec3 look = colour * (1.0 + 0.05 * checker) * (1.0 - 0.4 * grid);
    out_look = vec4(sqrt(clamp(look, 0.0, 1.0)), 1.0);
    out_normal = vec4(plane.xyz, GROUND);
}
