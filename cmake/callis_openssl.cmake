# callis_find_openssl()   CALLIS_OPENSSL_FOUND, and CALLIS_OPENSSL_INCLUDE, CALLIS_OPENSSL_SSL and CALLIS_OPENSSL_CRYPTO, in the
#   caller's scope: OpenSSL 3 of the system. Nothing but TLS and the life cycle service links it.
include_guard(GLOBAL)
function(callis_find_openssl)
  find_path(CALLIS_OPENSSL_INCLUDE openssl/ssl.h)
  find_library(CALLIS_OPENSSL_SSL ssl)
  find_library(CALLIS_OPENSSL_CRYPTO crypto)
  set(found OFF)
  if(CALLIS_OPENSSL_INCLUDE AND CALLIS_OPENSSL_SSL AND CALLIS_OPENSSL_CRYPTO)
    file(STRINGS ${CALLIS_OPENSSL_INCLUDE}/openssl/opensslv.h major REGEX "^# *define +OPENSSL_VERSION_MAJOR +3")
    if(major)
      set(found ON)
    endif()
  endif()
  set(CALLIS_OPENSSL_FOUND ${found} PARENT_SCOPE)
endfunction()
# callis_speaks_tls(TARGET)   Links TLS where there is OpenSSL and the component tls is chosen, and defines CALLIS_WITH_TLS: for
#   what the programs of callis share, and for tests.
function(callis_speaks_tls target)
  if(TARGET callis_tls AND ("tls" IN_LIST CALLIS_COMPONENTS OR "all" IN_LIST CALLIS_COMPONENTS))
    target_link_libraries(${target} PRIVATE callis::tls)
    target_compile_definitions(${target} PRIVATE CALLIS_WITH_TLS)
  endif()
endfunction()
