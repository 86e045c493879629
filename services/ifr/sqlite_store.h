// SPDX-License-Identifier: Apache-2.0
// A Store in a file of SQLite. Each write is one transaction, which is on the disk when write() returns.
//
// One process at a time: the file is locked as long as this lives.
#pragma once
#include <services/ifr/model.h>
#include <memory>
#include <string>

struct sqlite3;

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
  struct Close {
    void operator()(sqlite3* database) const;
  };
  void prepare_file();

  const std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace callis::ifr
