// SPDX-License-Identifier: Apache-2.0
// Opens a store in etcd: checks its kind, and brings the pairs to the newest schema. The new pairs are written beside
// the old pairs, and become the store's in one transaction.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/common/etcd_store.h>
#include <services/common/kind.h>
#include <random>

namespace callis::services {

using etcd::Json;
using etcd::number;
using etcd::to_base64;

namespace {

std::string random_text() {
  std::random_device random;
  std::string out;
  for (int i = 0; i < 4; ++i) {
    char part[9];
    std::snprintf(part, sizeof part, "%08x", static_cast<unsigned>(random()));
    out += part;
  }
  return out;
}

}  // namespace

EtcdStore::EtcdStore(const std::string& where, const StoreKind& kind, const StoreOptions& options)
    : where_(where), options_(options), instance_(random_text()) {
  etcd::Address address = etcd::parse_address(where);
  prefix_ = (address.prefix.empty() ? "callis/" + kind.name : address.prefix) + "/";
  data_ = prefix_ + "=" + std::to_string(kind.schema) + "/";
  client_ = std::make_unique<etcd::Client>(where, std::move(address.endpoints));
  leases_ =
      std::make_unique<etcd::Leases>(*client_, prefix_ + "!instance/" + instance_, Duration(options_.deadline_ms));
  try {
    take_kind(kind, true);
  } catch (const StoreFailed&) {
    throw;
  } catch (const std::exception& e) {
    throw StoreFailed(StoreFailed::Unknown, where_ + ": an answer of etcd cannot be read: " + e.what());
  }
}

EtcdStore::~EtcdStore() = default;

Deadline EtcdStore::deadline() const { return Deadline::in(Duration(options_.deadline_ms)); }

void EtcdStore::take_kind(const StoreKind& kind, bool may_make) {
  const std::string key = prefix_ + "!kind";
  const Json found = client_->ask("/v3/kv/range", {{"key", to_base64(key)}}, deadline());
  if (found.contains("kvs") && !found["kvs"].empty()) {
    const Json& pair = found["kvs"].at(0);
    const std::string text = etcd::bytes(pair, "value");
    const std::size_t blank = text.rfind(' ');
    std::uint64_t schema = 0;
    if (blank == std::string::npos || !parse_decimal(std::string_view(text).substr(blank + 1), 1'000'000, schema))
      throw StoreFailed(StoreFailed::Damaged, where_ + ": " + key + " says neither kind nor schema: '" +
                                                  etcd::words_of(text) + "'");
    check_kind(where_, kind, etcd::words_of(text.substr(0, blank)), static_cast<std::int64_t>(schema));
    kind_changed_ = number(pair, "mod_revision");
    if (schema < kind.schema) migrate(kind, static_cast<unsigned>(schema));
    return;
  }
  Json asked = etcd::range_of(prefix_);
  asked["limit"] = 1;
  const Json others = client_->ask("/v3/kv/range", asked, deadline());
  if (!may_make || number(others, "count") != 0)
    throw StoreFailed(StoreFailed::Foreign, where_ + ": there are keys below " + prefix_ +
                                                ", but none that says they are a store; take another prefix");
  // If several instances begin at once, one makes the key. Each then reads the key.
  const Json make = {
      {"compare", {{{"key", to_base64(key)}, {"target", "MOD"}, {"result", "EQUAL"}, {"mod_revision", "0"}}}},
      {"success",
       {{{"request_put",
          {{"key", to_base64(key)}, {"value", to_base64(kind.name + " " + std::to_string(kind.schema))}}}}}}};
  client_->ask("/v3/kv/txn", make, deadline());
  take_kind(kind, false);
}

void EtcdStore::put_batch(std::vector<Json>& puts) {
  if (puts.empty()) return;
  client_->ask("/v3/kv/txn", {{"success", puts}}, deadline());
  puts.clear();
}

void EtcdStore::copy_migrated(const StoreKind& kind, unsigned from, const std::string& source) {
  Revision as_of = 0;
  std::vector<Json> puts;
  std::size_t bytes = 0;
  for (Pair& pair : range(source, as_of)) {
    pair.key.erase(0, source.size());
    const std::optional<Pair> to = migrated(kind, from, std::move(pair));
    if (!to) continue;
    bytes += to->key.size() + to->value.size();
    if (puts.size() == kMaxChanges || bytes > kMaxTransactionBytes) {
      put_batch(puts);
      bytes = to->key.size() + to->value.size();
    }
    puts.push_back({{"request_put", {{"key", to_base64(data_ + to->key)}, {"value", to_base64(to->value)}}}});
  }
  put_batch(puts);
}

void EtcdStore::migrate(const StoreKind& kind, unsigned from) {
  const std::vector<std::string> living = instances();
  if (!living.empty())
    throw StoreFailed(StoreFailed::InUse,
                      where_ + ": the store has schema " + std::to_string(from) + ", and " +
                          std::to_string(living.size()) +
                          " instance(s) of an older program use it: stop them, then start this one");
  log(LogLevel::Info, {where_, ": migrating what the store holds from schema ", std::to_string(from), " to ",
                       std::to_string(kind.schema)});
  const std::string source = prefix_ + "=" + std::to_string(from) + "/", key = prefix_ + "!kind";
  client_->ask("/v3/kv/deleterange", etcd::range_of(data_), deadline());  // of an attempt that has not ended
  copy_migrated(kind, from, source);
  const std::string now = kind.name + " " + std::to_string(kind.schema);
  const Json turn = {{"compare",
                      {{{"key", to_base64(key)},
                        {"target", "MOD"},
                        {"result", "EQUAL"},
                        {"mod_revision", std::to_string(kind_changed_)}}}},
                     {"success",
                      {{{"request_put", {{"key", to_base64(key)}, {"value", to_base64(now)}}}},
                       {{"request_put", {{"key", to_base64(prefix_ + "!last")}, {"value", to_base64(unique())}}}},
                       {{"request_delete_range", etcd::range_of(source)}}}}};
  client_->ask("/v3/kv/txn", turn, deadline());
  take_kind(kind, false);
}

}  // namespace callis::services
