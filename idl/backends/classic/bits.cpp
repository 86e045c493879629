// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/bits.h>
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/names.h>
#include <algorithm>
#include <vector>

namespace callis::idl::backends::classic {

void print_bitmask(Text& to, const ast::Bitmask& m) {
  const std::string type = value_type(*m.holder), id = name(m);
  to.open("struct ", id, "Bits {");
  for (const ast::Bitmask::Flag& f : m.flags)
    to.line("static constexpr ", type, " ", identifier(f.name), " = ", std::uint64_t{1} << f.position, "ull;");
  to.close("};");
  to.line("typedef ", type, " ", id, ";");
  to.line("typedef ", type, "_out ", id, "_out;");
}

namespace {

// The type by which a field is read and written: the one given, or the smallest (7.4.13.4.3.2).
std::string field_type(const ast::Bitset::Field& f) {
  if (f.type) return value_type(*f.type);
  if (f.bits == 1) return "::CORBA::Boolean";
  if (f.bits <= 8) return "::CORBA::Octet";
  if (f.bits <= 16) return "::CORBA::UShort";
  return f.bits <= 32 ? "::CORBA::ULong" : "::CORBA::ULongLong";
}

void print_fields(Text& to, const ast::Bitset& b, const std::string& member) {
  std::vector<const ast::Bitset*> line;
  for (const ast::Bitset* at = &b; at; at = at->base) line.push_back(at);
  std::reverse(line.begin(), line.end());
  std::uint32_t bit = 0;
  for (const ast::Bitset* part : line)
    for (const ast::Bitset::Field& f : part->fields) {
      const std::string type = field_type(f), id = identifier(f.name), place = cat(bit, ", ", f.bits);
      bit += f.bits;
      if (f.name.empty()) continue;
      to.line(type, " ", id, "() const { return ::callis::classic::bit_field<", type, ", ", place, ">(", member,
              "); }");
      to.line("void ", id, "(", type, " _callis_v) { ::callis::classic::set_bit_field<", place, ">(", member,
              ", _callis_v); }");
    }
}

}  // namespace

void print_bitset(Text& to, const ast::Bitset& b) {
  const std::string id = name(b), member = name(*b.holder->members[0]);
  to.line("struct ", id, ";");
  to.line("typedef ::callis::classic::FixedVar<", id, "> ", id, "_var;");
  to.line("typedef ", id, "& ", id, "_out;");
  to.open("struct ", id, " {");
  to.line("typedef ", absolute(b, "_var"), " _var_type;");
  to.line("typedef ", absolute(b, "_out"), " _out_type;");
  to.line(value_type(*b.holder->members[0]->type), " ", member, ";");
  print_fields(to, b, member);
  to.close("};");
}

}  // namespace callis::idl::backends::classic
