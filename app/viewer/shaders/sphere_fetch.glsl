// Data of particle p, from texture buffers in the simulation's layout. WebGL, for the web page, has
// no texture buffers: there they are rows of textures.
#ifdef GL_ES
uniform sampler2D positions, radii, values;
uniform usampler2D phases;
#define FETCH(map, p) texelFetch(map, ivec2((p) & 1023, (p) >> 10), 0)

vec3 fetch_position(int p)
{
    return FETCH(positions, p).xyz;
}
#else
uniform samplerBuffer positions;  // three texels each
uniform samplerBuffer radii, values;
uniform usamplerBuffer phases;  // 0 snow, 1 ice, 2 water, 3 chocolate, 4 soft ice
#define FETCH(map, p) texelFetch(map, p)

vec3 fetch_position(int p)
{
    return vec3(texelFetch(positions, 3 * p).x, texelFetch(positions, 3 * p + 1).x,
                texelFetch(positions, 3 * p + 2).x);
}
#endif

float fetch_radius(int p)
{
    return snow.y > 0.5 ? FETCH(radii, p).x : snow.x;
}

float fetch_value(int p)
{
    return FETCH(values, p).x;
}

uint fetch_phase(int p)
{
    return snow.z > 0.5 ? FETCH(phases, p).x : 0u;
}

// Whether this pass draws it: option.y is 1 for water, 0 for the rest. False for non-finite
// positions.
bool is_drawn(vec3 x, float radius, uint phase)
{
    return (phase == 2u) == (option.y > 0.5) && radius > 0.0 && all(lessThan(abs(x), vec3(1e18)));
}

// Corner of the triangle around the unit circle.
vec2 corner_of(int vertex)
{
    return vertex == 0 ? vec2(0.0, 2.0) : vec2(vertex == 1 ? -1.7320508 : 1.7320508, -1.0);
}
