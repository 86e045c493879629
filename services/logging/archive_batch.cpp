// SPDX-License-Identifier: Apache-2.0
// What jobs do within a transaction. Each log that one changes is remembered as it was, for a transaction that fails.
#include <services/logging/archive_statements.h>
#include <algorithm>

namespace callis::logs {

using services::StoreFailed;

Archive::Entry& Archive::Batch::changing(LogId log) {
  Entry& entry = archive_.logs_.at(log);
  archive_.before_.try_emplace(log, entry);
  return entry;
}

Tally& Archive::Batch::tally(LogId log) { return changing(log).tally; }

bool Archive::Batch::make(LogId log, const std::string& settings) {
  auto& logs = archive_.logs_;
  if (logs.count(log) != 0) return false;
  if (logs.size() >= kMostLogs)
    throw StoreFailed(StoreFailed::TooLarge,
                      "there are " + std::to_string(logs.size()) + " logs, and may not be more: destroy some");
  std::vector<std::uint64_t> taken;
  for (const auto& [id, entry] : logs) taken.push_back(entry.slot);
  std::sort(taken.begin(), taken.end());
  std::uint64_t slot = 1;  // the first that is free
  for (const std::uint64_t t : taken) slot += t == slot ? 1u : 0u;
  archive_.statements_->make.bind(1, slot).bind(2, std::uint64_t{log}).bind_bytes(3, settings).run();
  archive_.before_.try_emplace(log, std::nullopt);
  logs[log] = {slot, {}};
  return true;
}

void Archive::Batch::set(LogId log, const std::string& settings) {
  archive_.statements_->set.bind_bytes(1, settings).bind(2, changing(log).slot).run();
}

bool Archive::Batch::drop(LogId log) {
  if (!has(log)) return false;
  const std::uint64_t slot = changing(log).slot;
  archive_.statements_->empty.bind(1, key_of(slot, 0)).bind(2, key_of(slot, kLastRecord)).run();
  archive_.statements_->drop.bind(1, slot).run();
  archive_.logs_.erase(log);
  return true;
}

RecordId Archive::Batch::append(LogId log, TimeT time, std::string_view info, std::string_view attributes) {
  Entry& entry = changing(log);
  Tally& t = entry.tally;
  if (t.next > kLastRecord)
    throw StoreFailed(StoreFailed::TooLarge, "the log has used all ids of records: make another");
  const RecordId id = t.next;
  const TimeT when = std::max(time, t.newest);
  archive_.statements_->append.bind(1, key_of(entry.slot, id))
      .bind(2, when)
      .bind_bytes(3, info)
      .bind_bytes(4, attributes)
      .run();
  ++t.next;
  t.newest = when;
  ++t.records;
  t.bytes += 16 + info.size() + attributes.size();
  return id;
}

void Archive::Batch::insert(LogId log, const Row& row) {
  Entry& entry = changing(log);
  archive_.statements_->append.bind(1, key_of(entry.slot, row.id))
      .bind(2, row.time)
      .bind_bytes(3, row.info)
      .bind_bytes(4, row.attributes)
      .run();
  entry.tally.next = row.id + 1;
  entry.tally.newest = row.time;
  ++entry.tally.records;
  entry.tally.bytes += row.bytes();
}

bool Archive::Batch::erase(LogId log, RecordId id) {
  if (id == 0 || id > kLastRecord) return false;
  Entry& entry = changing(log);
  Statements& s = *archive_.statements_;
  const std::uint64_t key = key_of(entry.slot, id);
  const bool there = s.size.bind(1, key).bind(2, key).step();
  const std::uint64_t bytes = there ? 16 + static_cast<std::uint64_t>(s.size.number(2)) : 0;
  s.size.reset();
  if (!there) return false;
  s.erase.bind(1, key).run();
  --entry.tally.records;
  entry.tally.bytes -= bytes;
  if (entry.tally.records == 0) entry.tally.lap = 0;
  return true;
}

std::uint64_t Archive::Batch::erase_oldest(LogId log) {
  Entry& entry = changing(log);
  Statements& s = *archive_.statements_;
  const bool there = s.size.bind(1, key_of(entry.slot, 0)).bind(2, key_of(entry.slot, kLastRecord)).step();
  const std::uint64_t key = there ? static_cast<std::uint64_t>(s.size.number(0)) : 0;
  const std::uint64_t bytes = there ? 16 + static_cast<std::uint64_t>(s.size.number(2)) : 0;
  s.size.reset();
  if (!there) return 0;
  s.erase.bind(1, key).run();
  --entry.tally.records;
  entry.tally.bytes -= bytes;
  return bytes;
}

std::size_t Archive::Batch::erase_before(LogId log, TimeT time, std::size_t most) {
  Entry& entry = changing(log);
  Statements& s = *archive_.statements_;
  std::size_t out = 0;
  while (out < most) {
    const bool there = s.size.bind(1, key_of(entry.slot, 0)).bind(2, key_of(entry.slot, kLastRecord)).step();
    const bool old = there && static_cast<TimeT>(s.size.number(1)) < time;
    s.size.reset();
    if (!old) break;
    erase_oldest(log);
    ++out;
  }
  return out;
}

std::optional<std::int64_t> Archive::Batch::set_attributes(LogId log, RecordId id, std::string_view attributes) {
  if (id == 0 || id > kLastRecord) return {};
  Entry& entry = changing(log);
  Statements& s = *archive_.statements_;
  const std::uint64_t key = key_of(entry.slot, id);
  const bool there = s.length.bind(1, key).step();
  const std::int64_t before = there ? s.length.number(0) : 0;
  s.length.reset();
  if (!there) return {};
  s.attributes.bind_bytes(1, attributes).bind(2, key).run();
  const std::int64_t more = static_cast<std::int64_t>(attributes.size()) - before;
  entry.tally.bytes += static_cast<std::uint64_t>(more);
  return more;
}

}  // namespace callis::logs
