// Constants of all passes (view_constants of draw_parts.h), and conversions between screen and eye
// coordinates.
layout(std140) uniform Frame {
    mat4 view;
    mat4 projection;
    mat4 light;
    vec4 eye;    // [m]; distance of the near plane [m]
    vec4 sun;    // unit, towards the sun; 1: shadows are on
    vec4 size;   // [pixels] width, height, and their inverses
    vec4 lens;   // tangents of the half angles; |eye - look_at| [m]; pixels per tangent
    vec4 snow;   // common radius [m]; 1: has radii; 1: has phases; mean radius [m]
    vec4 scale;  // low; 1 / (high - low); 1: has values; 1: surface style
    vec4 shade;  // occlusion radius [m]; shadow map texel [m]; its depth range [m]
};
uniform vec4 option;  // parameters of the pass

// Material of a pixel, in the w component of the normal buffer.
const float GROUND = 1.0, COLLIDER = 2.0, MARKED = 3.0, SNOW = 4.0, ICE = 5.0, COLOURED = 6.0;

// Depth is 1 - near / distance, with the distance along the view axis.
float depth_of(float distance)
{
    return 1.0 - eye.w / distance;
}

float inv_depth_of(float depth)
{
    return (1.0 - depth) / eye.w;  // 1 / distance; 0 in the sky
}

// Ray direction through screen position `uv` (0..1), in eye coordinates, z = -1.
vec3 ray_of(vec2 uv)
{
    return vec3((2.0 * uv - 1.0) * lens.xy, -1.0);
}

vec3 to_world(vec3 v)
{
    return transpose(mat3(view)) * v;
}
