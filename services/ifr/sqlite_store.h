// SPDX-License-Identifier: Apache-2.0
// A Store in a file of SQLite. Each write is one transaction, which is on the disk when write() returns.
//
// The file is guarded as those of all services are (services/common/sqlite_file.h): one process at a time.
#pragma once
#include <services/common/sqlite_file.h>
#include <services/ifr/model.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace callis::ifr {

class SqliteStore final : public Store {
 public:
  // Makes the file where there is none, or an empty one. Throws StoreFailed; then the file is as it was.
  explicit SqliteStore(const std::string& path, const services::StoreOptions& options = {});
  ~SqliteStore() override;

  // Fills a new model. Throws StoreFailed; nothing has been written then.
  void read(Model& model);
  // NO_RESOURCES where there is no room, PERSIST_STORE where the file fails otherwise; nothing has changed then.
  void write(const std::vector<const Definition*>& changed, const std::vector<Number>& removed, Number next) override;
  // The file gets no more pages of 4 KiB than these; tests make it full by that.
  void limit_pages(std::uint64_t pages) { file_.limit_pages(pages); }

 private:
  std::string stored_id(const std::string& id);
  std::string full_id(const std::string& stored) const;
  void read_stems();

  services::sqlite::StoreFile file_;
  // What ids have up to their last '/', by number; each is in the file once. `stems_` has those of the file.
  std::vector<std::string> stems_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::size_t stems_kept_ = 0;  // of these the file has so many
};

}  // namespace callis::ifr
