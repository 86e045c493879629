# callis_idl_generate(TARGET file.idl... [STUBS_ONLY] [OPTIONS --stubs=compiled ...] [OUT dir])
#   Runs callis-idl on each file and adds the generated sources to TARGET; with STUBS_ONLY, for programs that
#   are clients and link callis::orb alone, without the skeletons.
#   Generated files: x.h x.cpp x_skel.h x_skel.cpp, in OUT (default: <binary dir>/idl/TARGET).
function(callis_idl_generate target)
  cmake_parse_arguments(A "STUBS_ONLY" "OUT" "OPTIONS" ${ARGN})
  if(NOT A_OUT)
    set(A_OUT ${CMAKE_CURRENT_BINARY_DIR}/idl/${target})
  endif()
  file(MAKE_DIRECTORY ${A_OUT})
  foreach(idl ${A_UNPARSED_ARGUMENTS})
    get_filename_component(idl ${idl} ABSOLUTE)
    get_filename_component(stem ${idl} NAME_WLE)
    get_filename_component(dir ${idl} DIRECTORY)
    set(stubs ${A_OUT}/${stem}.h ${A_OUT}/${stem}.cpp)
    set(skeletons ${A_OUT}/${stem}_skel.h ${A_OUT}/${stem}_skel.cpp)
    add_custom_command(OUTPUT ${stubs} ${skeletons}
      COMMAND callis-idl -I ${dir} -o ${A_OUT} --depfile ${A_OUT}/${stem}.d ${A_OPTIONS} ${idl}
      DEPENDS callis-idl ${idl} DEPFILE ${A_OUT}/${stem}.d
      COMMENT "callis-idl ${stem}.idl" VERBATIM)
    target_sources(${target} PRIVATE ${stubs})
    if(NOT A_STUBS_ONLY)
      target_sources(${target} PRIVATE ${skeletons})
    endif()
  endforeach()
  target_include_directories(${target} PUBLIC ${A_OUT})
endfunction()
