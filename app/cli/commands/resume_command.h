// SPDX-License-Identifier: MIT
// How to go on with something that was interrupted.
#pragma once

// Prints the command as it was given to stderr, with --resume and without --overwrite.
void cli_resume_command_print(const char* command, int argc, char** argv);
