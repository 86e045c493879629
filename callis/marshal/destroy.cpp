// SPDX-License-Identifier: Apache-2.0
// The freeing walk over a plan.
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/memory.h>
#include <cstring>

namespace callis::marshal {

namespace {

void destroy_string(char** slot) {
  string_free(*slot);
  *slot = nullptr;
}

void destroy_elements(const Program& p, const Element& element, Byte* from, std::uint32_t n) {
  if (!element.owns()) return;
  for (; n != 0; --n, from += element.native_size) destroy_block(p, element.block, from);
}

}  // namespace

void destroy_sequence(const Program& p, const Instruction& i, void* memory) {
  SequenceHeader s;
  std::memcpy(&s, at(memory, i.offset), sizeof s);
  if (s.release && s.buffer) {
    // Every element of an owned buffer is constructed, or zeros.
    const std::uint32_t n = buffer_count(s.buffer);
    if (i.op == Op::SeqVar) destroy_elements(p, p.at<Element>(i.b), static_cast<Byte*>(s.buffer), n);
    if (i.op == Op::SeqString)
      strings_free(static_cast<char**>(s.buffer), n);
    buffer_free(s.buffer);
  }
  std::memset(at(memory, i.offset), 0, sizeof s);
}

void destroy_block(const Program& p, std::uint32_t block, void* frame) {
  void* memory = frame;  // the base
  void* owned = nullptr;  // the value of New that is being destroyed
  for (const Instruction* i = code(p, block);; ++i) {
    switch (i->op) {
      case Op::End: return;
      case Op::String: destroy_string(reinterpret_cast<char**>(at(memory, i->offset))); break;
      case Op::WString: case Op::Slot: case Op::Union:
        if (p.extension) p.extension->destroy(p, *i, at(memory, i->offset));
        break;
      case Op::Reference:
        if (void* r = read<void*>(memory, i->offset)) {
          write<void*>(memory, i->offset, nullptr);
          reference_handlers().release(r, p.link(i->a));
        }
        break;
      case Op::SeqPrim:
      case Op::SeqFixed:
      case Op::SeqString:
      case Op::SeqVar: destroy_sequence(p, *i, memory); break;
      case Op::ArrVar: destroy_elements(p, p.at<Element>(i->b), at(memory, i->offset), i->a); break;
      case Op::Base:
        memory = read<void*>(frame, i->offset);
        if (!memory) i += i->b;
        break;
      case Op::New: {
        void* const slot = at(memory, i->offset);
        memory = owned = read<void*>(slot, 0);
        if (!owned) i += i->b;
        else write<void*>(slot, 0, nullptr);
        break;
      }
      case Op::Frame:
        if (i->a) value_free(owned);
        owned = nullptr;
        memory = frame;
        break;
      default: break;
    }
  }
}

void destroy(const Plan& plan, void* memory) {
  if (plan.owns) destroy_block(*plan.program, plan.block, memory);
}

}  // namespace callis::marshal
