layout(location = 0) in vec3 vertex;
uniform mat4 pose;

void main()
{
    gl_Position = light * (pose * vec4(vertex, 1.0));
}
