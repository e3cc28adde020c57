// SPDX-License-Identifier: MIT
// Valid UTF-8 without what YAML forbids: control characters, surrogates, overlong forms.
#include "scene/parse/characters.h"

int firn_character_length(const char* text, size_t left)
{
    const unsigned char* s = (const unsigned char*)text;
    if (s[0] < 0x80)
        return s[0] >= 0x20 ? s[0] != 0x7f : s[0] == '\t' || s[0] == '\n' || s[0] == '\r';
    const int length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || (size_t)length > left) return 0;
    uint32_t code = s[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        code = (code << 6) | (s[i] & 0x3f);
    }
    const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool forbidden = (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ||
                           (code >= 0x80 && code < 0xa0 && code != 0x85) || code == 0xfffe ||
                           code == 0xffff;
    return too_long || forbidden ? 0 : length;
}
