// An infinite plane with a grid: lines every metre, finer ones every 0.1 m up close. Lines fade
// before they become narrower than a pixel.
in vec2 v_uv;
uniform vec4 plane;   // unit normal in the world; offset along it [m]
uniform vec3 colour;  // linear
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec4 out_normal;

// Coverage of a pixel of size `pixel` [m] by lines of `width` every `step` [m].
float lines(vec2 at, vec2 pixel, float step, float width)
{
    vec2 away = abs(fract(at / step + 0.5) - 0.5) * step;
    vec2 cover = clamp((0.5 * (width + pixel) - away) / pixel, 0.0, 1.0) * min(width / pixel, 1.0);
    vec2 fade = clamp(1.5 - 4.0 * pixel / step, 0.0, 1.0);
    cover *= fade;
    return max(cover.x, cover.y);
}

void main()
{
    vec3 ray = to_world(ray_of(v_uv));
    float fall = -dot(ray, plane.xyz);
    if (fall <= 1e-6) discard;
    float distance = (dot(eye.xyz, plane.xyz) - plane.w) / fall;
    if (distance <= eye.w) discard;
    gl_FragDepth = min(depth_of(distance), 0.99999994);
    vec3 x = eye.xyz + ray * distance;
    // two axes in the plane, along the world's axes if it is horizontal
    vec3 u = normalize(abs(plane.y) > 0.5 ? vec3(plane.y, -plane.x, 0.0)
                                          : vec3(plane.z, 0.0, -plane.x));
    vec3 v = cross(plane.xyz, u);
    vec2 at = vec2(dot(x, u), dot(x, v));
    // footprint of a pixel on the plane: stretched along the viewing direction
    float footprint = distance / lens.w;
    float slant = 1.0 / max(fall * inversesqrt(dot(ray, ray)), 1e-3);
    vec3 level = normalize(ray + fall * plane.xyz + 1e-9 * u);
    vec2 pixel = footprint * (1.0 + (slant - 1.0) * abs(vec2(dot(level, u), dot(level, v))));
    float grid = 0.55 * lines(at, pixel, 1.0, 0.012);
    grid = max(grid, 0.22 * lines(at, pixel, 0.1, 0.004));
    // faint checkerboard of metre squares, faded out in the distance
    vec2 inside = clamp(2.0 * (0.5 - abs(fract(at) - 0.5)) / pixel, 0.0, 1.0);
    vec2 side = inside * (2.0 * step(0.5, fract(0.5 * at)) - 1.0);
    float checker = side.x * side.y * clamp(1.3 - 4.0 * max(pixel.x, pixel.y), 0.0, 1.0);
    vec3 albedo = colour * (1.0 + 0.05 * checker) * (1.0 - 0.4 * grid);
    out_albedo = vec4(sqrt(clamp(albedo, 0.0, 1.0)), 1.0);
    out_normal = vec4(plane.xyz, GROUND);
}
