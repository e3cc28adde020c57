// SPDX-License-Identifier: MIT
// Prints how to continue an interrupted command.
#pragma once

// Prints the original command on stderr, with --resume and without --overwrite.
void cli_resume_command_print(const char* command, int argc, char** argv);
