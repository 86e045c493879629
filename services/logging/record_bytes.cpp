// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <services/logging/record_bytes.h>
#include <services/properties/value_bytes.h>
#include <cstring>

namespace callis::logs {

namespace {

void put(std::string& to, std::string_view part) {
  const auto size = static_cast<std::uint32_t>(part.size());
  char bytes[4];
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(size >> (8 * i));
  to.append(bytes, 4).append(part);
}

// The next part; false at the end, or where the bytes are no such list.
bool take(std::string_view& from, std::string_view& part) {
  if (from.size() < 4) return false;
  std::uint32_t size = 0;
  for (int i = 0; i < 4; ++i)
    size |= std::uint32_t{static_cast<unsigned char>(from[static_cast<std::size_t>(i)])} << (8 * i);
  if (from.size() - 4 < size) return false;
  part = from.substr(4, size);
  from.remove_prefix(4 + size);
  return true;
}

}  // namespace

std::string bytes_of(const CORBA::Any& info) { return properties::to_bytes(info); }

std::string bytes_of(const DsLogAdmin::NVList& attributes) {
  std::string out;
  for (CORBA::ULong i = 0; i < attributes.length(); ++i) {
    put(out, attributes[i].name.in());
    put(out, properties::to_bytes(attributes[i].value));
  }
  return out;
}

void read(std::string_view bytes, orb::OrbContext& context, CORBA::Any& info) {
  if (!bytes.empty() && !properties::from_bytes(bytes, context, info)) {
    info = CORBA::Any();
    log(LogLevel::Error, "logging: the store has a value that cannot be read");
  }
}

void read(std::string_view bytes, orb::OrbContext& context, DsLogAdmin::NVList& attributes) {
  std::string_view name, value;
  attributes.length(0);
  while (take(bytes, name) && take(bytes, value)) {
    const CORBA::ULong at = attributes.length();
    attributes.length(at + 1);
    attributes[at].name = std::string(name).c_str();
    read(value, context, attributes[at].value);
  }
}

std::optional<std::string_view> attribute_in(std::string_view attributes, std::string_view wanted) {
  std::string_view name, value;
  while (take(attributes, name) && take(attributes, value))
    if (name == wanted) return value;
  return {};
}

DsLogAdmin::LogRecord record_of(const Row& row, orb::OrbContext& context) {
  DsLogAdmin::LogRecord out;
  out.id = row.id;
  out.time = row.time;
  read(row.info, context, out.info);
  read(row.attributes, context, out.attr_list);
  return out;
}

}  // namespace callis::logs
