// SPDX-License-Identifier: Apache-2.0
// The records of a log: finding, deleting and marking them. Long work is done in portions, between which others
// write.
#include <services/logging/log.h>
#include <algorithm>
#include <set>

namespace callis::logs {

namespace {

constexpr std::size_t kPortion = 1'000;
// Attributes that one call writes: so many bytes, or as many as the log has already. And those of one transaction.
constexpr std::uint64_t kMostMarkedBytes = 16u << 20, kMarkedAtOnceBytes = 4u << 20;

void refuse_more(std::size_t most) {
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                         "more than " + std::to_string(most) + " records: ask for fewer, by id or time");
}

void too_long(std::chrono::milliseconds limit, CORBA::CompletionStatus completed) {
  throw CORBA::NO_RESOURCES(0, completed,
                            "it takes more than " + std::to_string(limit.count()) +
                                " ms (--query-time): narrow it by id or time, as in \"id > 1000 and ...\"");
}

// Room for one id more.
void reach(services::HeldBytes& found, const std::vector<RecordId>& ids) {
  constexpr std::size_t kPiece = 8'192, kGrowing = 2;  // a vector that grows is there twice
  if (ids.size() % kPiece != 0 || found.reach(kGrowing * sizeof(RecordId) * (ids.size() + kPiece))) return;
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            "the service has no memory left for so many records (--max-memory, --max-memory-each): "
                            "ask for fewer, by id or time");
}

}  // namespace

Tally Log::tally() {
  const services::OperationTime time(parts_.bounds.query);
  while (!time.over() && expire()) {}
  return parts_.archive.tally(id_);
}

bool Log::expire() {
  CORBA::ULong life;
  {
    const std::lock_guard lock(mutex_);
    life = settings_.max_record_life;
  }
  const TimeT moment = parts_.clock(), span = life * kTicksOfSecond;
  if (life == 0 || span >= moment) return false;
  const std::vector<RecordId> oldest = parts_.archive.ids(id_, 1, false, 1);
  if (oldest.empty() || parts_.archive.first_at(id_, moment - span) <= oldest.front()) return false;
  std::size_t erased = 0;
  parts_.archive.change(false, [&](Archive::Batch& batch) {
    erased = batch.has(id_) ? batch.erase_before(id_, moment - span, kPortion) : 0;
    if (erased != 0) settle(batch.tally(id_));
  });
  if (erased != 0) {
    full_ = false;
    watch_capacity(0, false);
  }
  return erased == kPortion;
}

// Gives those that match to take(), which says whether to go on; not those that come meanwhile.
template<class Take>
void Log::each(Selection& selection, CORBA::CompletionStatus completed, Take&& take) {
  const services::OperationTime time(parts_.bounds.query);
  const RecordId end = tally().next;
  RecordId from = std::max(selection.first_id(), parts_.archive.first_at(id_, selection.first_time()));
  while (from < end) {
    const std::vector<Row> rows = parts_.archive.read(id_, from);
    for (const Row& row : rows) {
      if (row.id >= end) return;
      if (time.over()) too_long(parts_.bounds.query, completed);
      if (selection.matches(row) && !take(row.id)) return;
    }
    if (rows.empty()) return;
    from = rows.back().id + 1;
  }
}

std::vector<RecordId> Log::select(Selection& selection, std::size_t most, services::HeldBytes& found) {
  std::vector<RecordId> out;
  each(selection, CORBA::COMPLETED_NO, [&](RecordId id) {
    if (out.size() == most) refuse_more(most);
    reach(found, out);
    out.push_back(id);
    return true;
  });
  return out;
}

std::vector<RecordId> Log::select(TimeT from, CORBA::Long how_many, std::size_t most, services::HeldBytes& found) {
  tally();
  const std::int64_t wanted = how_many;
  const bool backwards = wanted < 0;
  const std::size_t count = std::min(static_cast<std::size_t>(backwards ? -wanted : wanted), most + 1);
  if (count == 0) return {};
  if (from > INT64_MAX) from = INT64_MAX;
  RecordId next = parts_.archive.first_at(id_, backwards ? from + 1 : from);
  if (backwards && next-- <= 1) return {};
  const services::OperationTime time(parts_.bounds.query);
  std::vector<RecordId> out;
  while (out.size() < count) {
    const std::size_t portion = std::min(kPortion, count - out.size());
    const std::vector<RecordId> some = parts_.archive.ids(id_, next, backwards, portion);
    for (const RecordId id : some) {
      reach(found, out);
      out.push_back(id);
    }
    if (some.size() < portion || (backwards && some.back() == 1)) break;
    next = backwards ? some.back() - 1 : some.back() + 1;
    if (time.over()) too_long(parts_.bounds.query, CORBA::COMPLETED_NO);
  }
  if (out.size() > most) refuse_more(most);
  return out;
}

CORBA::ULong Log::count(Selection& selection) {
  CORBA::ULong out = 0;
  each(selection, CORBA::COMPLETED_NO, [&](RecordId) {
    ++out;
    return true;
  });
  return out;
}

void Log::erase_all(const std::vector<RecordId>& ids, CORBA::ULong& count) {
  CORBA::ULong erased = 0;
  parts_.archive.change(reliable(), [&](Archive::Batch& batch) {
    erased = 0;
    if (!batch.has(id_)) return;
    for (const RecordId id : ids) erased += batch.erase(id_, id) ? 1u : 0u;
    if (erased != 0) settle(batch.tally(id_));
  });
  count += erased;
  if (erased == 0) return;
  full_ = false;
  watch_capacity(0, false);
}

CORBA::ULong Log::erase(Selection& selection) {
  CORBA::ULong out = 0;
  std::vector<RecordId> ids;
  each(selection, CORBA::COMPLETED_MAYBE, [&](RecordId id) {
    ids.push_back(id);
    if (ids.size() == kPortion) {
      erase_all(ids, out);
      ids.clear();
    }
    return true;
  });
  if (!ids.empty()) erase_all(ids, out);
  return out;
}

CORBA::ULong Log::erase(const DsLogAdmin::RecordIdList& all) {
  CORBA::ULong out = 0;
  std::vector<RecordId> ids;
  for (CORBA::ULong i = 0; i < all.length(); ++i) {
    ids.push_back(all[i]);
    if (ids.size() == kPortion || i + 1 == all.length()) {
      erase_all(ids, out);
      ids.clear();
    }
  }
  return out;
}

std::string Log::checked(const DsLogAdmin::NVList& attributes) const {
  std::set<std::string> names;
  for (CORBA::ULong i = 0; i < attributes.length(); ++i) {
    const std::string name = attributes[i].name.in();
    if (name.empty() || i >= parts_.bounds.attributes || !names.insert(name).second)
      throw DsLogAdmin::InvalidAttribute(name.c_str(), attributes[i].value);
  }
  std::string out = bytes_of(attributes);
  if (out.size() > parts_.bounds.record_bytes)
    throw DsLogAdmin::InvalidAttribute(attributes[0].name.in(), CORBA::Any());
  return out;
}

void Log::mark_all(const std::vector<RecordId>& ids, const std::string& attributes, CORBA::ULong& count) {
  CORBA::ULong marked = 0;
  std::uint64_t most;
  {
    const std::lock_guard lock(mutex_);
    most = settings_.max_size;
  }
  parts_.archive.change(reliable(), [&](Archive::Batch& batch) {
    marked = 0;
    if (!batch.has(id_)) return;
    if (most != 0 && batch.tally(id_).bytes + ids.size() * attributes.size() > most)
      throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_MAYBE,
                                "the log has no room for the attributes: see its max_size");
    make_room(batch.tally(id_), ids.size() * attributes.size());
    for (const RecordId id : ids) marked += batch.set_attributes(id_, id, attributes) ? 1u : 0u;
  });
  count += marked;
}

void Log::set_attributes(RecordId id, const DsLogAdmin::NVList& attributes) {
  CORBA::ULong marked = 0;
  mark_all({id}, checked(attributes), marked);
  if (marked == 0) throw DsLogAdmin::InvalidRecordId();
}

CORBA::ULong Log::set_attributes(Selection& selection, const DsLogAdmin::NVList& attributes) {
  const std::string bytes = checked(attributes);
  const std::uint64_t most = std::max(kMostMarkedBytes, parts_.archive.tally(id_).bytes);
  const std::size_t portion =
      std::clamp<std::size_t>(kMarkedAtOnceBytes / std::max<std::size_t>(1, bytes.size()), 1, kPortion);
  CORBA::ULong out = 0;
  std::vector<RecordId> ids;
  each(selection, CORBA::COMPLETED_MAYBE, [&](RecordId id) {
    if ((out + ids.size() + 1) * std::uint64_t{bytes.size()} > most)
      throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_MAYBE,
                                "one call writes as many octets of attributes as the log has, and " +
                                    std::to_string(kMostMarkedBytes >> 20) +
                                    " MiB at least: choose fewer records");
    ids.push_back(id);
    if (ids.size() == portion) {
      mark_all(ids, bytes, out);
      ids.clear();
    }
    return true;
  });
  if (!ids.empty()) mark_all(ids, bytes, out);
  return out;
}

std::optional<Row> Log::find(RecordId id) { return parts_.archive.find(id_, id); }

}  // namespace callis::logs
