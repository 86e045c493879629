// SPDX-License-Identifier: Apache-2.0
#include <idl/parse/tree.h>

namespace callis::idl::parse {

std::string to_string(const ScopedName& name) {
  std::string out;
  for (std::size_t i = 0; i < name.parts.size(); ++i) {
    if (i != 0 || name.absolute) {
      out += "::";
    }
    out += name.parts[i].text;
  }
  return out;
}

std::string_view spelling(Operator op) {
  switch (op) {
    case Operator::Or: return "|";
    case Operator::Xor: return "^";
    case Operator::And: return "&";
    case Operator::ShiftLeft: return "<<";
    case Operator::ShiftRight: return ">>";
    case Operator::Add:
    case Operator::Plus: return "+";
    case Operator::Subtract:
    case Operator::Minus: return "-";
    case Operator::Multiply: return "*";
    case Operator::Divide: return "/";
    case Operator::Remainder: return "%";
    case Operator::Complement: return "~";
  }
  return "?";
}

}  // namespace callis::idl::parse
