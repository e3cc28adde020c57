// SPDX-License-Identifier: MIT
// Compiling and linking shaders.
#include "viewer/gl/gl_program.h"

#include <stdio.h>
#include <string.h>

#include "viewer/gl/shaders.h"

static const view_shader* find_shader(const char* name)
{
    for (const view_shader* s = view_shaders; s->name != NULL; s++)
        if (strcmp(s->name, name) == 0) return s;
    return NULL;
}

// Reports the first line of the driver's log.
static void report_log(const char* what, const char* log, char* problem, int problem_size)
{
    const int length = (int)strcspn(log, "\n");
    snprintf(problem, (size_t)problem_size, "%s: %.*s", what, length, log);
}

static GLuint compile(GLenum stage, const char* const* pieces, char* problem, int problem_size)
{
    static const char version[] =
        "#version 330 core\n#extension GL_ARB_conservative_depth : enable\n";
    const char* texts[GL_PIECES_MAX + 1] = {version};
    GLint lengths[GL_PIECES_MAX + 1] = {(GLint)sizeof version - 1};
    GLsizei count = 1;
    for (int k = 0; k < GL_PIECES_MAX && pieces[k] != NULL; k++) {
        const view_shader* piece = find_shader(pieces[k]);
        if (piece == NULL) {
            snprintf(problem, (size_t)problem_size, "shader '%s' is missing", pieces[k]);
            return 0;
        }
        texts[count] = piece->text;
        lengths[count++] = piece->length;
    }
    const GLuint shader = glCreateShader(stage);
    glShaderSource(shader, count, texts, lengths);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    char log[1024] = "";
    char what[96];
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    snprintf(what, sizeof what, "the driver cannot compile shader '%s'", pieces[count - 2]);
    report_log(what, log, problem, problem_size);
    glDeleteShader(shader);
    return 0;
}

static GLuint link_shaders(GLuint vertex, GLuint fragment, char* problem, int problem_size)
{
    const GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    glDetachShader(program, vertex);
    glDetachShader(program, fragment);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good) return program;
    char log[1024] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    report_log("the driver cannot link a program", log, problem, problem_size);
    glDeleteProgram(program);
    return 0;
}

GLuint gl_program_create(const gl_program_def* def, const char* const* samplers, char* problem,
                         int problem_size)
{
    const GLuint vertex = compile(GL_VERTEX_SHADER, def->vertex, problem, problem_size);
    if (vertex == 0) return 0;
    const GLuint fragment = compile(GL_FRAGMENT_SHADER, def->fragment, problem, problem_size);
    const GLuint program =
        fragment != 0 ? link_shaders(vertex, fragment, problem, problem_size) : 0;
    glDeleteShader(vertex);
    if (fragment != 0) glDeleteShader(fragment);
    if (program == 0) return 0;
    const GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, 0);
    glUseProgram(program);
    for (GLint unit = 0; samplers[unit] != NULL; unit++) {
        const GLint place = glGetUniformLocation(program, samplers[unit]);
        if (place >= 0) glUniform1i(place, unit);
    }
    return program;
}
