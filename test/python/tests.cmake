# Tests of the Python package; they use unittest, numpy and the package of the build.
if(FIRN_HAVE_PYTHON)
    function(firn_python_test name)
        firn_command_test(python_${name} LABEL cli COMMAND ${CMAKE_COMMAND} -E env
            PYTHONPATH=${CMAKE_BINARY_DIR}/python:${CMAKE_SOURCE_DIR}/test/python
            PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE} -W error -m unittest -q test_${name})
    endfunction()
    firn_python_test(scenes)
    firn_python_test(fields)
    firn_python_test(simulation)
    firn_python_test(runs)
    firn_python_test(manners)
    firn_python_test(device)  # on a GPU; all of it is skipped where there is none
    # the wheel in a clean environment, where every block of docs/python.md runs
    firn_script_test(python_wheel wheel.sh LABEL cli)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        firn_script_test(python_sanitized sanitized.sh LABEL cli slow
            ARGUMENTS ${Python3_INCLUDE_DIRS})
    endif()
    firn_script_test(python_samples samples.sh LABEL cli)
    set_property(TEST python_samples APPEND PROPERTY
        ENVIRONMENT PYTHONPATH=${CMAKE_BINARY_DIR}/python)
    firn_command_test(python_api LABEL layers COMMAND ${Python3_EXECUTABLE}
        ${CMAKE_SOURCE_DIR}/tools/python_api.py --check ${CMAKE_BINARY_DIR}/python)
endif()
