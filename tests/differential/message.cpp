// SPDX-License-Identifier: Apache-2.0
// One value as a message, whole or spoiled.
#include "message.h"
#include "small_orb.h"
#include <algorithm>

namespace differential {

using namespace callis;
using namespace callis::marshal::testing;

Message::Segments::Segments(const Message& m) {
  std::size_t from = 0;
  for (std::size_t i = 0; i <= m.breaks.size(); ++i) {
    const std::size_t to = i < m.breaks.size() ? std::min(m.breaks[i], m.bytes.size()) : m.bytes.size();
    blocks_.emplace_back(new Byte[to - from + 1]);
    Byte* const at = blocks_.back().get() + 1;
    std::copy(m.bytes.begin() + static_cast<std::ptrdiff_t>(from), m.bytes.begin() + static_cast<std::ptrdiff_t>(to),
              at);
    list_.push_back({{at, to - from}, i == 0 ? m.phase : ReferenceWriter::kFragmentPhase});
    from = to;
  }
}

Message write_message(const marshal::Unit& unit, marshal::Word type, const Byte* value, Random& random) {
  Message m;
  m.order = static_cast<ByteOrder>(random() & 1);
  m.phase = random() & 7;
  m.reply_phase = random() & 7;
  ReferenceWriter writer(unit, m.order, m.phase, &references());
  if (random() % 4 == 0) writer.break_by = &random;
  writer.value(type, value);
  m.bytes = std::move(writer.out);
  m.breaks = std::move(writer.breaks);
  m.marks = std::move(writer.marks);
  m.budget = {16 * m.bytes.size() + 100000, 64};
  if (random() % 16 == 0) m.budget.bytes_left = random() % (6 * m.bytes.size() + 1);
  if (random() % 16 == 0) m.budget.depth_left = static_cast<std::uint32_t>(random() % 4);
  return m;
}

namespace {

void set_number(Message& m, std::size_t at, std::uint32_t v) {
  if (at + 4 <= m.bytes.size()) store(m.bytes.data() + at, v, m.order != kNativeOrder);
}
std::uint32_t number(const Message& m, std::size_t at) {
  return at + 4 <= m.bytes.size() ? load<std::uint32_t>(m.bytes.data() + at, m.order != kNativeOrder) : 0;
}
std::uint32_t other_number(std::uint32_t n, Random& random) {
  switch (random() % 8) {
    case 0: return n + 1;
    case 1: return n - 1;
    case 2: return 0;
    case 3: return n * 2;
    case 4: return static_cast<std::uint32_t>(random());
    case 5: return 0xffffffff - static_cast<std::uint32_t>(random() % 9);
    case 6: return 0x80000000u >> random() % 32;
    default: return n + static_cast<std::uint32_t>(random() % 64);
  }
}

// Breaks the rule about the bytes that one mark stands for.
void break_rule(Message& m, const Mark& mark, Random& random) {
  if (mark.at >= m.bytes.size()) return;
  Byte& b = m.bytes[mark.at];
  switch (mark.rule) {
    case Rule::Count: case Rule::StringLength: case Rule::Enum:
      set_number(m, mark.at, other_number(number(m, mark.at), random));
      return;
    case Rule::Boolean: b = static_cast<Byte>(2 + random() % 254); return;
    case Rule::Character: b = 0; return;
    case Rule::Nul: b = static_cast<Byte>(1 + random() % 255); return;
    case Rule::Other: b = static_cast<Byte>(random()); return;
  }
}

}  // namespace

void spoil(Message& m, Random& random) {
  for (std::size_t n = 1 + random() % 3; n != 0; --n) {
    const std::size_t size = m.bytes.size();
    // Of a type that has nothing on the wire there are bytes only behind it, and no rules.
    switch (size == 0 ? 5 : random() % (m.marks.empty() ? 3 : 7)) {
      case 0:
        m.bytes[random() % size] ^= static_cast<Byte>(1u << random() % 8);
        m.spoiled += " bit";
        break;
      case 1:
        m.bytes[random() % size] = static_cast<Byte>(random());
        m.spoiled += " byte";
        break;
      case 2:
        m.bytes.resize(random() % size);
        m.spoiled += " cut";
        break;
      case 3: case 4: case 6: {
        // Rules first, then other primitives.
        const Mark* mark = &m.marks[random() % m.marks.size()];
        for (int tries = 0; tries < 8 && mark->rule == Rule::Other; ++tries)
          mark = &m.marks[random() % m.marks.size()];
        break_rule(m, *mark, random);
        m.spoiled += " rule";
        break;
      }
      default:
        m.bytes.insert(m.bytes.end(), 1 + random() % 9, static_cast<Byte>(random()));
        m.spoiled += " more";
        break;
    }
  }
}

}  // namespace differential
