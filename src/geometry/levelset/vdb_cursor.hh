// SPDX-License-Identifier: MIT
// A position in the bytes of a .vdb file. Nothing behind their end is read: every step beyond it
// throws std::runtime_error.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace firn_vdb {

class Cursor {
  public:
    Cursor(char* data, size_t size) : bytes(data), end(size)
    {
    }
    size_t size() const
    {
        return end;
    }
    size_t position() const
    {
        return at;
    }
    [[noreturn]] void damaged(const char* what) const
    {
        throw std::runtime_error(std::string("damaged: ") + what + " at byte " +
                                 std::to_string(at));
    }
    // Steps over bytes, and gives them.
    const char* pass(size_t count)
    {
        if (count > end - at)
            throw std::runtime_error("the file ends too early: " + std::to_string(count) +
                                     " bytes should follow byte " + std::to_string(at));
        const char* from = bytes + at;
        at += count;
        return from;
    }
    template <typename T> T get()
    {
        T value;
        std::memcpy(&value, pass(sizeof value), sizeof value);
        return value;
    }
    std::string text()
    {
        const auto length = get<uint32_t>();
        return std::string(pass(length), length);
    }
    void seek(size_t position)
    {
        if (position > end) damaged("an offset beyond the file");
        at = position;
    }
    void patch(size_t position, char value)
    {
        bytes[position] = value;
    }

  private:
    char* bytes;
    size_t end, at = 0;
};

}  // namespace firn_vdb
