# The tests of whereabouts.idl: a server that ends and comes back, objects that move, calls given up, several addresses.

# whereabouts_test(test client server [.what] [more options of `run.py TEST`])
function(whereabouts_test test client server)
  set(name ${test}.${client}_to_${server})
  if(ARGN)
    list(POP_FRONT ARGN what)
    string(APPEND name ${what})
  endif()
  interop_test(${name} ${test} --programs ${interop_bin} --jacorb ${mixed_jacorb} --client ${client} --server ${server} ${ARGN})
  if("${name} ${ARGN}" MATCHES jacorb)
    set_tests_properties(interop.${name} PROPERTIES FIXTURES_REQUIRED interop_jacorb SKIP_RETURN_CODE 77 LABELS "interop;jacorb")
  endif()
endfunction()

# Every pair with callis in it, and the others with themselves: what is asked of callis they do, too.
set(whereabouts_pairs "callis callis" "omni callis" "jacorb callis" "callis omni" "callis jacorb" "omni omni" "jacorb jacorb")

# A server that ends and comes back.
foreach(pair ${whereabouts_pairs})
  separate_arguments(pair)
  whereabouts_test(restart ${pair})
endforeach()
foreach(version 1.0 1.1)
  whereabouts_test(restart callis callis .giop_${version} --version ${version})
  whereabouts_test(restart omni callis .giop_${version} --version ${version})
endforeach()
whereabouts_test(restart callis callis .pool "--server-options=-ORBServerThreads pool")
whereabouts_test(restart callis callis .shared_connections "--client-options=-ORBClientConnections shared")
foreach(lookup hint hash linear)
  whereabouts_test(restart callis callis .${lookup} "--server-options=-ORBObjectLookup ${lookup} -ORBAdapterLookup path")
endforeach()
