# callis_idl_generate(TARGET file.idl... [STUBS_ONLY] [STYLE tao|omniorb] [OPTIONS --stubs=compiled -I dir ...] [OUT dir])
#   Runs callis-idl on each file and adds the generated sources to TARGET; with STUBS_ONLY, for programs that
#   are clients, without the skeletons. A file is compiled anew when it, or one that it includes, changes.
#   Generated files: x.h x.cpp x_skel.h x_skel.cpp, in OUT (default: <binary dir>/idl/TARGET); with STYLE the names
#   that other IDL compilers give them (callis-idl --help).
#   Used by callis's own build and by the installed package. The compiler is the target callis::idl. When the build is for
#   another machine, it is a callis-idl of this machine: CALLIS_IDL_EXECUTABLE, or the one in PATH.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  find_program(CALLIS_IDL_EXECUTABLE callis-idl NO_CMAKE_FIND_ROOT_PATH
               DOC "The IDL compiler of the machine that builds, for cross-compiling")
  if(NOT CALLIS_IDL_EXECUTABLE)
    message(FATAL_ERROR "callis: cross-compiling needs a callis-idl that runs on this machine, and none is in PATH. "
                        "Install callis for this machine first, or name it: -DCALLIS_IDL_EXECUTABLE=/path/to/callis-idl")
  endif()
endif()
if(CALLIS_IDL_EXECUTABLE AND NOT TARGET callis::idl)
  add_executable(callis::idl IMPORTED GLOBAL)
  set_target_properties(callis::idl PROPERTIES IMPORTED_LOCATION ${CALLIS_IDL_EXECUTABLE})
endif()

function(callis_idl_generate target)
  cmake_parse_arguments(A "STUBS_ONLY" "OUT;STYLE" "OPTIONS" ${ARGN})
  if(NOT A_OUT)
    set(A_OUT ${CMAKE_CURRENT_BINARY_DIR}/idl/${target})
  endif()
  set(stubs_callis .h .cpp)
  set(skeletons_callis _skel.h _skel.cpp)
  set(stubs_tao C.h C.cpp)
  set(skeletons_tao S.h S.cpp)
  set(stubs_omniorb .hh SK.cc)
  set(skeletons_omniorb)
  if(NOT A_STYLE)
    set(A_STYLE callis)
  endif()
  set(endings ${stubs_${A_STYLE}})
  set(options --style=${A_STYLE} ${A_OPTIONS})
  if(A_STUBS_ONLY)
    list(APPEND options --no-skeletons)
  else()
    list(APPEND endings ${skeletons_${A_STYLE}})
  endif()
  get_property(idl_dirs GLOBAL PROPERTY CALLIS_IDL_DIRS)  # of the modules that the runtime has
  foreach(dir ${idl_dirs})
    list(APPEND options -I ${dir})
  endforeach()
  file(MAKE_DIRECTORY ${A_OUT})
  foreach(idl ${A_UNPARSED_ARGUMENTS})
    get_filename_component(idl ${idl} ABSOLUTE)
    get_filename_component(stem ${idl} NAME_WLE)
    get_filename_component(dir ${idl} DIRECTORY)
    list(TRANSFORM endings PREPEND ${A_OUT}/${stem} OUTPUT_VARIABLE outputs)
    add_custom_command(OUTPUT ${outputs}
      COMMAND callis::idl -I ${dir} -o ${A_OUT} --depfile ${A_OUT}/${stem}.d ${options} ${idl}
      DEPENDS $<TARGET_FILE:callis::idl> ${idl} DEPFILE ${A_OUT}/${stem}.d
      COMMENT "callis-idl ${stem}.idl" VERBATIM)
    target_sources(${target} PRIVATE ${outputs})
  endforeach()
  target_include_directories(${target} PUBLIC ${A_OUT})
endfunction()
