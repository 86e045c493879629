# callis_minimal(TARGET feature...)
#   A program with these features alone; others have all (docs/guide/small-programs.md). It links the static library.
#   Used by callis's own build and by the installed package: each sets the global properties that are read here.
function(callis_minimal target)
  get_property(known GLOBAL PROPERTY CALLIS_ALL_FEATURES)
  get_property(of_micro GLOBAL PROPERTY CALLIS_MICRO_FEATURES)  # of programs with callis::micro alone
  list(APPEND known ${of_micro})
  list(REMOVE_DUPLICATES known)
  foreach(f ${ARGN})
    if(NOT f IN_LIST known)
      string(JOIN ", " known ${known})
      message(FATAL_ERROR "callis_minimal(${target}): no feature \"${f}\"; there are ${known}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES CALLIS_MINIMAL ON CALLIS_FEATURES "${ARGN}")
  if(NOT TARGET callis::callis AND NOT TARGET callis_orb)  # callis::micro alone, which has no such arrays
    return()
  endif()
  # With arrays of its own, those of the libraries stay out.
  get_property(with_features GLOBAL PROPERTY CALLIS_FEATURE_LIBRARIES)
  foreach(l ${with_features})
    target_link_options(${target} PRIVATE -Wl,--defsym=callis_features_${l}=0)
  endforeach()
endfunction()
