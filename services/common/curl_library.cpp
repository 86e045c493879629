// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <services/common/curl_library.h>
#include <services/common/store_failed.h>

// The macros of curl/curl.h check types of variadic arguments, and would take the members of that name.
#undef curl_easy_setopt
#undef curl_easy_getinfo

namespace callis::services {

namespace {

template<class F>
void find(void* library, const char* name, F& to) {
  to = reinterpret_cast<F>(::dlsym(library, name));
  if (!to) throw StoreFailed(StoreFailed::Unknown, std::string("etcd: libcurl.so.4 has no ") + name);
}

CurlLibrary load() {
  void* const library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw StoreFailed(StoreFailed::Unknown,
                      std::string("etcd needs libcurl (Debian: libcurl4), which cannot be loaded: ") + ::dlerror());
  CurlLibrary out{};
  find(library, "curl_global_init", out.global_init);
  find(library, "curl_easy_init", out.easy_init);
  find(library, "curl_easy_setopt", out.easy_setopt);
  find(library, "curl_easy_perform", out.easy_perform);
  find(library, "curl_easy_getinfo", out.easy_getinfo);
  find(library, "curl_easy_reset", out.easy_reset);
  find(library, "curl_easy_cleanup", out.easy_cleanup);
  find(library, "curl_easy_strerror", out.easy_strerror);
  find(library, "curl_slist_append", out.slist_append);
  find(library, "curl_slist_free_all", out.slist_free_all);
  if (out.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    throw StoreFailed(StoreFailed::Unknown, "etcd: libcurl cannot be initialised");
  return out;
}

}  // namespace

const CurlLibrary& CurlLibrary::get() {
  static const CurlLibrary library = load();
  return library;
}

}  // namespace callis::services
