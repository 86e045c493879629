// SPDX-License-Identifier: Apache-2.0
#include <services/common/kind.h>

namespace callis::services {

void check_kind(const std::string& where, const StoreKind& kind, std::string_view holds, std::int64_t schema) {
  if (holds != kind.name)
    throw StoreFailed(StoreFailed::Foreign, where + ": this is a store of callis " + std::string(holds) +
                                                ", not of callis " + kind.name + "; it is as it was");
  const std::int64_t oldest =
      static_cast<std::int64_t>(kind.schema) - static_cast<std::int64_t>(kind.migrations.size());
  if (schema > static_cast<std::int64_t>(kind.schema))
    throw StoreFailed(StoreFailed::Foreign, where + ": this store has schema " + std::to_string(schema) +
                                                "; this callis " + kind.name + " knows schemas up to " +
                                                std::to_string(kind.schema) + ": use a newer one");
  if (schema < oldest || schema < 1)
    throw StoreFailed(StoreFailed::Foreign, where + ": this store has schema " + std::to_string(schema) +
                                                "; this callis " + kind.name + " migrates from schema " +
                                                std::to_string(oldest) + " on: go through an older one");
}

std::optional<Pair> migrated(const StoreKind& kind, unsigned from, Pair&& pair) {
  std::optional<Pair> out = std::move(pair);
  const std::size_t oldest = kind.schema - kind.migrations.size();
  for (std::size_t at = from - oldest; out && at < kind.migrations.size(); ++at)
    out = kind.migrations[at](std::move(*out));
  return out;
}

}  // namespace callis::services
