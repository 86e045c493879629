// SPDX-License-Identifier: Apache-2.0
// Iterators: what clients have of a query's or retrieval's result (Telecom Log Service 1.1, 2.2): the ids of its
// records. Positions count from the result's first record, also of those that were answered at once. Records that
// have been deleted meanwhile are left out of an answer. Clients leave iterators behind; so they are bounded, the one
// that rested longest goes first, and who rests for kIdle is gone: OBJECT_NOT_EXIST. Any thread.
#pragma once
#include <callis/portable_server.h>
#include <services/logging/logs.h>
#include <list>
#include <unordered_map>

namespace callis::logs {

class Iterators final {
 public:
  static constexpr std::size_t kMost = 1'000;
  static constexpr std::size_t kMostIds = 16'000'000;  // of all of them
  static constexpr std::size_t kMostOfOne = 8'000'000;
  static constexpr std::size_t kMostAnswer = 1'000;          // records of one answer
  static constexpr std::size_t kMostAnswerBytes = 1u << 20;  // of one answer, unless it is one record
  static constexpr std::chrono::minutes kIdle{10};
  using Time = std::chrono::steady_clock::time_point;

  // A child adapter of parent serves them.
  Iterators(PortableServer::POA_ptr parent, orb::OrbContext& context);
  ~Iterators();
  Iterators(const Iterators&) = delete;
  Iterators& operator=(const Iterators&) = delete;

  // The first records, and an iterator where there are more; nil otherwise.
  DsLogAdmin::RecordList* split(const LogPtr& log, std::vector<RecordId>&& ids, DsLogAdmin::Iterator_out rest);
  // Lets those go that nobody has used since now - kIdle.
  void reap(Time now);
  std::size_t size() const;

 private:
  class Servant;
  struct Result {
    LogPtr log;
    std::vector<RecordId> ids;
  };
  struct Entry {
    std::uint64_t number;
    Time used;
    std::shared_ptr<const Result> result;
  };
  using Entries = std::list<Entry>;

  // Of up to `most` ids from there on; how many of them: looked.
  DsLogAdmin::RecordList* records(const Result& result, std::size_t from, std::size_t most,
                                  std::size_t& looked) const;
  std::shared_ptr<const Result> find(std::uint64_t number);
  bool drop(std::uint64_t number);
  void forget(Entries::iterator entry);

  orb::OrbContext& context_;
  PortableServer::POA_var poa_;
  mutable std::mutex mutex_;  // over what follows
  Entries entries_;           // longest rested first
  std::unordered_map<std::uint64_t, Entries::iterator> by_number_;
  std::size_t ids_ = 0;
};

}  // namespace callis::logs
