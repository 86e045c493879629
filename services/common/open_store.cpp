// SPDX-License-Identifier: Apache-2.0
// Finds the back end that a text means. This build may be without some: CALLIS_HAS_SQLITE, CALLIS_HAS_ETCD.
#include <services/common/memory_store.h>
#if CALLIS_HAS_SQLITE
#include <services/common/sqlite_store.h>
#endif
#if CALLIS_HAS_ETCD
#include <services/common/etcd_store.h>
#endif

namespace callis::services {

namespace {

[[maybe_unused]] [[noreturn]] void missing(const std::string& where, const char* what) {
  throw StoreFailed(StoreFailed::Unknown, where + ": this program was built without " + what +
                                              "; build it where that is installed, or take another store");
}

}  // namespace

std::unique_ptr<Store> open_store(const std::string& where, [[maybe_unused]] const StoreKind& kind,
                                  [[maybe_unused]] const StoreOptions& options) {
  if (where.empty()) throw StoreFailed(StoreFailed::Unknown, "the name of the store is empty");
  if (where == "memory") return std::make_unique<MemoryStore>();
  if (where.starts_with("etcd:")) {
#if CALLIS_HAS_ETCD
    return std::make_unique<EtcdStore>(where, kind, options);
#else
    missing(where, "libcurl and nlohmann/json.hpp, which etcd needs");
#endif
  }
  const std::string path = where.starts_with("sqlite:") ? where.substr(7) : where;
#if CALLIS_HAS_SQLITE
  return std::make_unique<SqliteStore>(path, kind, options);
#else
  missing(path, "SQLite");
#endif
}

}  // namespace callis::services
