// SPDX-License-Identifier: Apache-2.0
// Back ends check kinds and migrate schemas of stores by these.
#pragma once
#include <services/common/store.h>

namespace callis::services {

// Throws StoreFailed::Foreign if the store at `where`, which holds `holds` of schema `schema`, is no store for
// `kind`.
void check_kind(const std::string& where, const StoreKind& kind, std::string_view holds, std::int64_t schema);

// Migrates a pair from schema `from` to kind.schema; returns nothing if the pair is dropped.
std::optional<Pair> migrated(const StoreKind& kind, unsigned from, Pair&& pair);

}  // namespace callis::services
