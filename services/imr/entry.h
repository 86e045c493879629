// SPDX-License-Identifier: Apache-2.0
// Entry: a registered server and what is known of its process. A server with a process for each client has an entry
// for each of them.
#pragma once
#include <callis/ior/ior.h>
#include <services/common/memory_bound.h>
#include <services/imr/machine.h>
#include <services/imr/record.h>
#include <map>
#include <memory>
#include <mutex>

namespace callis::imr {

struct Entry {
  explicit Entry(Record r) : record(std::move(r)), machine(terms_of(record)) {}

  // --- Under the repository's lock ---
  Record record;
  Machine machine;
  std::string start;      // of the process that was launched last, until it has ended
  std::int64_t pid = 0;
  ior::Ior self;          // the object of the process that is running; nil: it has given none
  // Of a server that does not tell: when it was found to answer after its start.
  Time answers_since{};
  std::uint32_t waiting = 0;
  bool removed = false;
  services::MemoryBound::Hold held;
  // By the repository itself: somebody looks now; not before.
  bool being_looked_at = false;
  Time look_again{};

  // Of a server with a process for each client: by the streams by which the clients are connected to the repository.
  std::map<std::uint64_t, std::shared_ptr<Entry>> clients;
  // Of one of these processes: whose, and for whom.
  std::shared_ptr<Entry> server;
  std::uint64_t client = 0;
  bool handed_out = false;  // the client has been led to it

  // --- Looking whether it is there: what one thread has found is good for all that came before it began ---
  std::mutex looking;
  Time looked{};
  std::uint64_t looked_at = 0;  // the generation of the process
  bool found = false;
};

}  // namespace callis::imr
