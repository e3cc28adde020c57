// SPDX-License-Identifier: MIT
// CLI_SANITIZED: 1 in builds with the address, memory or thread sanitizer. They have their own
// malloc, and allocate many times what the program does.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CLI_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define CLI_SANITIZED 1
#endif
#endif
#ifndef CLI_SANITIZED
#define CLI_SANITIZED 0
#endif
