// SPDX-License-Identifier: Apache-2.0
#include <services/common/testing/places.h>
#if CALLIS_HAS_ETCD
#include <services/common/testing/etcd_cluster.h>
#endif

namespace callis::services::testing {

namespace {

class MemoryPlace final : public Place {
  std::string where() const override { return "memory"; }
  bool keeps() const override { return false; }
  bool shared() const override { return false; }
};

class FilePlace final : public Place {
  std::string where() const override { return "sqlite:" + (folder_ / "store.db"); }
  bool keeps() const override { return true; }
  bool shared() const override { return false; }

  Folder folder_;
};

#if CALLIS_HAS_ETCD
// One etcd for all tests of a process, each with a prefix of its own.
class EtcdPlace final : public Place {
 public:
  EtcdPlace() {
    static EtcdCluster cluster(1);
    static int next = 0;
    where_ = cluster.where() + "/test/" + std::to_string(++next);
  }
  std::string where() const override { return where_; }
  bool keeps() const override { return true; }
  bool shared() const override { return true; }

 private:
  std::string where_;
};
#endif

}  // namespace

std::unique_ptr<Place> make_place(const std::string& name) {
  if (name == "memory") return std::make_unique<MemoryPlace>();
#if CALLIS_HAS_SQLITE
  if (name == "sqlite") return std::make_unique<FilePlace>();
#endif
#if CALLIS_HAS_ETCD
  if (name == "etcd" && EtcdCluster::is_installed()) return std::make_unique<EtcdPlace>();
#endif
  return nullptr;
}

}  // namespace callis::services::testing
