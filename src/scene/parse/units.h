// SPDX-License-Identifier: MIT
// Units behind numbers in a scene: "12 cm", "140 kPa". Plain numbers are in the key's own unit.
#pragma once
#include "firn/types.h"

// Takes the unit that follows a number and converts `*value` to `key_unit` (null: takes none).
// On failure fills `message` ("expected a length (m, cm, ...), not a pressure"), value unchanged.
bool firn_unit_convert(const char* key_unit, const char* suffix, double* value, char* message,
                       size_t message_size);
// "length" for "m"; null for a unit without conversions ("frames").
const char* firn_unit_dimension(const char* key_unit);
// "m, km, cm, mm": what may follow a number of this key; false when nothing may.
bool firn_unit_choices(const char* key_unit, char* text, size_t size);
