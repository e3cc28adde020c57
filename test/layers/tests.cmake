firn_command_test(layers LABEL layers COMMAND ${Python3_EXECUTABLE}
    ${CMAKE_SOURCE_DIR}/tools/check_layers.py)
firn_command_test(layers_self_test LABEL layers
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/check_layers.py --self-test)
firn_command_test(reliability LABEL layers
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/check_reliability.py)
firn_command_test(shots LABEL layers COMMAND ${Python3_EXECUTABLE}
    ${CMAKE_SOURCE_DIR}/tools/check_reliability.py ${CMAKE_SOURCE_DIR}/docs/shots.md)
