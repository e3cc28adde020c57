# Each header alone, as its reader would include it.
firn_script_test(headers_c headers.sh LABEL compile ARGUMENTS c)
firn_script_test(headers_cxx headers.sh LABEL compile ARGUMENTS c++)
# nvcc takes 46 s for these, and a build with CUDA has compiled most of them already
firn_script_test(headers_cuda headers.sh LABEL compile slow ARGUMENTS cu)
firn_script_test(null_calls null_calls.sh LABEL compile)
if(NOT FIRN_SANITIZE)  # else the program would have to be sanitized, too
    firn_script_test(null_each null_each.sh LABEL cli TIMEOUT 900)
endif()
