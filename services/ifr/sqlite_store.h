// SPDX-License-Identifier: Apache-2.0
// A Store in a file of SQLite. Each write is one transaction, which is on the disk when write() returns.
//
// One process at a time: the file is locked as long as this lives.
#pragma once
#include <services/common/sqlite.h>
#include <services/ifr/model.h>
#include <string>

namespace callis::ifr {

// What is wrong with a file: it cannot be opened, is in use, is damaged, or none of this program, or of another
// version of it. The file has not been changed.
struct BadStore {
  std::string why;
};

class SqliteStore final : public Store {
 public:
  // Makes the file where there is none, or an empty one. Throws BadStore.
  explicit SqliteStore(const std::string& path);
  ~SqliteStore() override;

  // Fills a new model. Throws BadStore.
  void read(Model& model);
  // CORBA::PERSIST_STORE where the file does not take it, with nothing changed.
  void write(const std::vector<const Definition*>& changed, const std::vector<Number>& removed, Number next) override;
  // The file gets no more pages of 4 KiB than these; tests make it full by that.
  void limit_pages(std::uint64_t pages);

 private:
  void prepare_file();

  const std::string path_;
  services::sqlite::Database database_;
};

}  // namespace callis::ifr
