firn_sources(comm comm.c cuts.c)
if(FIRN_MPI)
    firn_sources(comm comm_mpi.c)
    set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/comm/comm.c
        ${CMAKE_CURRENT_SOURCE_DIR}/comm/comm_mpi.c PROPERTIES
        COMPILE_DEFINITIONS FIRN_HAVE_MPI INCLUDE_DIRECTORIES "${MPI_C_INCLUDE_DIRS}")
endif()
