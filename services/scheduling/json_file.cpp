// SPDX-License-Identifier: Apache-2.0
#include <services/scheduling/json_file.h>

namespace callis::scheduling {

Json read_json(std::string_view text, const std::string& file) {
  auto parsed = json::parse_json(text, kJsonLimits);
  if (const auto* const error = std::get_if<json::JsonError>(&parsed)) refuse_at(file, error->where, error->text);
  return std::get<Json>(std::move(parsed));
}

std::string place_text(const std::string& file, const json::Place& where) {
  return file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

void refuse_at(const std::string& file, const json::Place& where, const std::string& text, Refused::Kind kind) {
  throw Refused(kind, place_text(file, where) + ": error: " + text);
}

}  // namespace callis::scheduling
