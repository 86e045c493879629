// SPDX-License-Identifier: Apache-2.0
// libcurl is loaded when a service is told to keep its store in etcd. With its TLS, Kerberos and LDAP it takes some 5
// MB of a process. A service with a file should not pay for this.
#pragma once
#include <curl/curl.h>

namespace callis::services {

struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_reset) easy_reset;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;

  // Returns the process's library, which stays loaded. Any thread may call. Throws StoreFailed::Unknown if there is
  // no libcurl.so.4.
  static const CurlLibrary& get();
};

}  // namespace callis::services
