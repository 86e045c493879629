// SPDX-License-Identifier: Apache-2.0
#include <services/common/testing/places.h>

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

}  // namespace

std::unique_ptr<Place> make_place(const std::string& name) {
  if (name == "memory") return std::make_unique<MemoryPlace>();
#if CALLIS_HAS_SQLITE
  if (name == "sqlite") return std::make_unique<FilePlace>();
#endif
  return nullptr;
}

}  // namespace callis::services::testing
