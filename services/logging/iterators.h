// SPDX-License-Identifier: Apache-2.0
// Iterators: what clients have of a query's or retrieval's result (Telecom Log Service 1.1, 2.2): the ids of its
// records. Positions count from the result's first record, also of those that were answered at once. Records that
// have been deleted meanwhile are left out of an answer. A table bounds them (services/common/iterator_table.h). Any
// thread.
#pragma once
#include <callis/portable_server.h>
#include <services/common/iterator_table.h>
#include <services/logging/logs.h>
#include <functional>

namespace callis::logs {

class Iterators final {
 public:
  static constexpr std::size_t kMost = services::IteratorTable::kMost;
  static constexpr std::size_t kMostIds = 16'000'000;  // of all of them
  static constexpr std::size_t kMostOfOne = 8'000'000;
  static constexpr std::size_t kMostAnswer = 1'000;          // records of one answer
  static constexpr std::size_t kMostAnswerBytes = 1u << 20;  // of one answer, unless it is one record
  static constexpr std::chrono::minutes kIdle = services::IteratorTable::kIdle;
  using Time = services::IteratorTable::Time;

  // A child adapter of parent serves them.
  Iterators(PortableServer::POA_ptr parent, orb::OrbContext& context);
  ~Iterators();
  Iterators(const Iterators&) = delete;
  Iterators& operator=(const Iterators&) = delete;

  // The first records, and an iterator where there are more; nil otherwise.
  // kept: pays for the ids.
  DsLogAdmin::RecordList* split(const LogPtr& log, std::vector<RecordId>&& ids, DsLogAdmin::Iterator_out rest,
                                services::HeldBytes&& kept);
  // Lets those go that nobody has used since now - kIdle.
  void reap(Time now) { table_.reap(now); }
  // Both are the table's.
  Time first_due() const { return table_.first_due(); }
  void when_first(std::function<void()> tell) { table_.when_first(std::move(tell)); }
  std::size_t size() const { return table_.size(); }

 private:
  class Servant;
  struct Result final : services::IteratorTable::Cursor {  // does not change, so that nobody locks it
    Result(LogPtr from, std::vector<RecordId>&& has, services::HeldBytes&& pays)
        : log(std::move(from)), ids(std::move(has)), kept(std::move(pays)) {}
    const LogPtr log;
    const std::vector<RecordId> ids;
    const services::HeldBytes kept;
  };

  // Of up to `most` ids from there on; how many of them: looked.
  DsLogAdmin::RecordList* records(const Result& result, std::size_t from, std::size_t most,
                                  std::size_t& looked) const;

  orb::OrbContext& context_;
  services::IteratorTable table_{{.elements = kMostIds}};
  PortableServer::POA_var poa_;
};

}  // namespace callis::logs
