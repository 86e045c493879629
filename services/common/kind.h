// SPDX-License-Identifier: Apache-2.0
// What back ends do about kinds and schemas of stores.
#pragma once
#include <services/common/store.h>

namespace callis::services {

// Throws StoreFailed::Foreign where a store at `where` that holds `holds` of schema `schema` is none for `kind`.
void check_kind(const std::string& where, const StoreKind& kind, std::string_view holds, std::int64_t schema);

// A pair of schema `from` as one of kind.schema; nothing: dropped.
std::optional<Pair> migrated(const StoreKind& kind, unsigned from, Pair&& pair);

}  // namespace callis::services
