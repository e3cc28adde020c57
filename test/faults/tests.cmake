# Faults: I/O calls that fail, fall short or end the process (tools/faults). The library is for
# LD_PRELOAD and defines functions of libc, which _FORTIFY_SOURCE would define inline: hence without
# the flags of everything else.
add_library(fail_io MODULE
    ${CMAKE_CURRENT_LIST_DIR}/fail_io.c ${CMAKE_CURRENT_LIST_DIR}/fail_stdio.c)
target_compile_definitions(fail_io PRIVATE _GNU_SOURCE)
target_compile_options(fail_io PRIVATE -O1 -Wall -Wextra -U_FORTIFY_SOURCE)
target_link_libraries(fail_io PRIVATE ${CMAKE_DL_LIBS})
target_link_options(fail_io PRIVATE LINKER:-z,relro LINKER:-z,now)
set_target_properties(fail_io PROPERTIES C_VISIBILITY_PRESET default)
firn_command_test(faults LABEL cli
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/faults --quick)
firn_command_test(faults_interrupt LABEL cli
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/interrupt.py)

# The same for allocations.
add_library(fail_alloc MODULE ${CMAKE_CURRENT_LIST_DIR}/fail_alloc.c)
target_compile_definitions(fail_alloc PRIVATE _GNU_SOURCE)
target_compile_options(fail_alloc PRIVATE -O1 -Wall -Wextra -U_FORTIFY_SOURCE -fno-builtin)
target_link_libraries(fail_alloc PRIVATE ${CMAKE_DL_LIBS})
target_link_options(fail_alloc PRIVATE LINKER:-z,relro LINKER:-z,now)
set_target_properties(fail_alloc PROPERTIES C_VISIBILITY_PRESET default)
firn_script_test(faults_alloc alloc.sh LABEL cli)
