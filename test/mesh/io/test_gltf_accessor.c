// SPDX-License-Identifier: MIT
// Numbers out of accessors: all component types, strides, sparse ones, and what reaches too far.
#include <math.h>

#include "mesh/gltf_maker.h"

// 16 bytes in a buffer, and one accessor over them.
#define DATA "AIB//gH+AP/+/wEAAMB/QA=="  // 00 80 7f fe 01 fe 00 ff fe ff 01 00 00 c0 7f 40

static firn_gltf_file open_accessor(const char* accessor, const char* view)
{
    firn_gltf_file file;
    firn_error error = {0};
    const char* json =
        fill("{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":16,\"uri\":"
             "\"data:;base64," DATA "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":16%s}],"
             "\"accessors\":[{%s}]}",
             view, accessor);
    write_bytes(GLTF_PATH, json, strlen(json));
    if (firn_gltf_file_open(GLTF_PATH, &file, &error) != FIRN_OK) fail_msg("%s", error.text);
    return file;
}

static void check_numbers(const char* accessor, const char* view, int width, int count,
                          const double* numbers)
{
    firn_gltf_file file = open_accessor(accessor, view);
    firn_error error = {0};
    float* values;
    firn_local got;
    if (firn_gltf_read_floats(&file, 0, width, "test", &values, &got, &error) != FIRN_OK)
        fail_msg("%s: %s", accessor, error.text);
    assert_int_equal(got, count);
    // a float, and for normalised integers one division: some roundings of 6e-8
    for (int k = 0; k < count * width; k++)
        if (!(fabs((double)values[k] - numbers[k]) <= 1e-6 * fabs(numbers[k])))
            fail_msg("%s: number %d is %g, not %g", accessor, k, (double)values[k], numbers[k]);
    firn_free(values);
    firn_gltf_file_close(&file);
}

#define NUMBERS(...) ((const double[]){__VA_ARGS__})

static void component_types(void** state)
{
    (void)state;
    check_numbers("\"bufferView\":0,\"componentType\":5121,\"type\":\"VEC4\",\"count\":1", "", 4, 1,
                  NUMBERS(0, 128, 127, 254));
    check_numbers("\"bufferView\":0,\"componentType\":5120,\"type\":\"VEC4\",\"count\":1", "", 4, 1,
                  NUMBERS(0, -128, 127, -2));
    check_numbers("\"bufferView\":0,\"componentType\":5120,\"type\":\"VEC2\",\"count\":2,"
                  "\"normalized\":true",
                  "", 2, 2, NUMBERS(0, -1, 1, -2 / 127.));
    check_numbers("\"bufferView\":0,\"componentType\":5121,\"type\":\"SCALAR\",\"count\":3,"
                  "\"normalized\":true",
                  "", 1, 3, NUMBERS(0, 128 / 255., 127 / 255.));
    check_numbers("\"bufferView\":0,\"componentType\":5123,\"type\":\"SCALAR\",\"count\":2,"
                  "\"normalized\":true",
                  "", 1, 2, NUMBERS(0x8000 / 65535., 0xfe7f / 65535.));
    check_numbers("\"bufferView\":0,\"componentType\":5122,\"type\":\"SCALAR\",\"count\":2,"
                  "\"normalized\":true",
                  "", 1, 2, NUMBERS(-1, -385 / 32767.));
    check_numbers("\"bufferView\":0,\"byteOffset\":8,\"componentType\":5125,\"type\":\"SCALAR\","
                  "\"count\":1",
                  "", 1, 1, NUMBERS(0x0001fffe));
    check_numbers("\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"type\":\"SCALAR\","
                  "\"count\":1",
                  "", 1, 1, NUMBERS(3.99609375));  // 0x407fc000
}

static void strides_offsets_and_nothing(void** state)
{
    (void)state;
    check_numbers("\"bufferView\":0,\"byteOffset\":1,\"componentType\":5121,\"type\":\"SCALAR\","
                  "\"count\":3",
                  ",\"byteStride\":4", 1, 3, NUMBERS(128, 254, 255));
    check_numbers("\"componentType\":5126,\"type\":\"VEC3\",\"count\":1", "", 3, 1,
                  NUMBERS(0, 0, 0));
}

static void sparse_elements_replace_others(void** state)
{
    (void)state;
    // bytes 10 and 11 are 1 and 0: elements 1 and 0 become bytes 1 and 2 (128 and 127)
    check_numbers("\"bufferView\":0,\"byteOffset\":3,\"componentType\":5121,\"type\":\"SCALAR\","
                  "\"count\":3,\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":0,"
                  "\"byteOffset\":10,\"componentType\":5121},"
                  "\"values\":{\"bufferView\":0,\"byteOffset\":1}}",
                  "", 1, 3, NUMBERS(127, 128, 254));
}

static void bad(const char* accessor, const char* view, int width, const char* words)
{
    firn_gltf_file file = open_accessor(accessor, view);
    firn_error error = {0};
    float* values = NULL;
    firn_local count;
    const firn_result result =
        firn_gltf_read_floats(&file, 0, width, "the test", &values, &count, &error);
    if (result != FIRN_REFUSED_SCENE || strstr(error.text, words) == NULL)
        fail_msg("%s: expected '%s', got %d '%s'", accessor, words, result, error.text);
    firn_gltf_file_close(&file);
}

static void what_reaches_too_far_is_refused(void** state)
{
    (void)state;
#define BYTE "\"bufferView\":0,\"componentType\":5121,"
    bad(BYTE "\"type\":\"SCALAR\",\"count\":17", "", 1, "the test: reaches beyond its buffer view");
    bad(BYTE "\"type\":\"SCALAR\",\"count\":16,\"byteOffset\":1", "", 1, "reaches beyond");
    bad(BYTE "\"type\":\"SCALAR\",\"count\":1,\"byteOffset\":17", "", 1, "reaches beyond");
    bad(BYTE "\"type\":\"SCALAR\",\"count\":5", ",\"byteStride\":4", 1, "reaches beyond");
    bad(BYTE "\"type\":\"SCALAR\",\"count\":1", ",\"byteOffset\":1", 1,
        "beyond the buffer, view (0)");
    bad(BYTE "\"type\":\"VEC4\",\"count\":1", ",\"byteStride\":3", 4, "byteStride must be");
    bad(BYTE "\"type\":\"VEC4\",\"count\":1", "", 3, "wrong number of components, needed (3)");
    bad(BYTE "\"type\":\"VECTOR\",\"count\":1", "", 3, "wrong number of components");
    bad(BYTE "\"type\":\"SCALAR\",\"count\":0", "", 1, "'count' is out of range (0)");
    bad(BYTE "\"type\":\"SCALAR\",\"count\":1e12", "", 1, "'count' is out of range");
    bad("\"bufferView\":0,\"componentType\":5124,\"type\":\"SCALAR\",\"count\":1", "", 1,
        "unknown componentType (5124)");
    bad("\"bufferView\":1,\"componentType\":5121,\"type\":\"SCALAR\",\"count\":1", "", 1,
        "'bufferView' is 1, but there are 1 bufferViews");
    bad("\"bufferView\":0,\"byteOffset\":6,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":1",
        "", 1, "element 0 is not finite");  // 00 ff fe ff
    bad(BYTE "\"type\":\"SCALAR\",\"count\":1,\"sparse\":{\"count\":2}", "", 1,
        "more sparse elements than elements (2)");
    bad(BYTE "\"type\":\"SCALAR\",\"count\":3,\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":"
             "0,\"byteOffset\":1,\"componentType\":5121},\"values\":{\"bufferView\":0}}",
        "", 1, "a sparse index is out of range (128)");
    bad(BYTE "\"type\":\"SCALAR\",\"count\":3,\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":"
             "0,\"componentType\":5126},\"values\":{\"bufferView\":0}}",
        "", 1, "sparse indices must be unsigned");
}

static void indices_are_whole_and_in_range(void** state)
{
    (void)state;
    firn_gltf_file file = open_accessor(BYTE "\"type\":\"SCALAR\",\"count\":3", "");
    firn_error error = {0};
    int32_t* indices;
    firn_local count;
    assert_int_equal(firn_gltf_read_indices(&file, 0, 1, 129, "it", &indices, &count, &error),
                     FIRN_OK);
    assert_int_equal(count, 3);
    assert_int_equal(indices[1], 128);
    firn_free(indices);
    assert_int_equal(firn_gltf_read_indices(&file, 0, 1, 128, "it", &indices, &count, &error),
                     FIRN_REFUSED_SCENE);
    assert_contains(error.text, "it: element 1 is 128, must be below 128");
    firn_gltf_file_close(&file);
    file = open_accessor("\"bufferView\":0,\"componentType\":5120,\"type\":\"SCALAR\",\"count\":1",
                         "");
    assert_int_equal(firn_gltf_read_indices(&file, 0, 1, 9, "it", &indices, &count, &error),
                     FIRN_REFUSED_SCENE);
    assert_contains(error.text, "must be unsigned whole numbers");
    firn_gltf_file_close(&file);
}

int test_gltf_accessor(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(component_types),
                                       cmocka_unit_test(strides_offsets_and_nothing),
                                       cmocka_unit_test(sparse_elements_replace_others),
                                       cmocka_unit_test(what_reaches_too_far_is_refused),
                                       cmocka_unit_test(indices_are_whole_and_in_range)};
    return cmocka_run_group_tests_name("gltf_accessor", tests, NULL, NULL);
}
