// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/internal/views.h>
#include <callis/giop/service_context.h>
#include <cstring>

namespace callis::giop {

ByteView get_view(cdr::Decoder& d, std::size_t n, Buffer& spill) {
  if (n <= d.contiguous() || d.contiguous() == d.remaining()) return d.get_view(n);
  if (n > d.remaining()) {
    d.set_fault(Fault::Truncated);
    return {};
  }
  // Everything that may still be copied fits what remains now, so earlier views of spill stay valid.
  if (spill.empty() && !spill.reserve(d.remaining())) {
    d.set_fault(Fault::OutOfMemory);
    return {};
  }
  Byte* to = spill.data() + spill.size();
  if (!d.get_bytes(to, n)) return {};
  spill.set_size(spill.size() + n);
  return {to, n};
}

ByteView get_octets(cdr::Decoder& d, Buffer& spill, std::size_t max_bytes) {
  const std::uint32_t n = d.get_ulong();
  if (n > d.remaining()) d.set_fault(Fault::BadCount);
  if (n > max_bytes) d.set_fault(Fault::LimitExceeded);
  return d.ok() ? get_view(d, n, spill) : ByteView{};
}

std::string_view get_string(cdr::Decoder& d, Buffer& spill) {
  const std::uint32_t n = d.string_length();
  if (n == 0) return {};
  const ByteView v = get_view(d, n, spill);
  if (v.empty()) return {};
  if (std::memchr(v.data(), 0, n) != v.data() + n - 1) {
    d.set_fault(Fault::BadString);
    return {};
  }
  return {reinterpret_cast<const char*>(v.data()), n - 1};
}

[[gnu::hot]] const ServiceContext* ServiceContexts::find(std::uint32_t id) const {
  for (std::size_t i = 0; i < size_; ++i) {
    if ((*this)[i].id == id) return &(*this)[i];
  }
  return nullptr;
}

bool decode(cdr::Decoder& d, ServiceContexts& out, Buffer& spill, const Limits& limits) {
  out.clear();
  // A context takes an id and a count, 8 bytes, at least.
  if (!d.align(4)) return false;
  if (d.contiguous() >= 4 && load<std::uint32_t>(d.cursor()) == 0) {  // usually none
    d.advance(4);
    return true;
  }
  const std::uint32_t n = d.count(8, sizeof(ServiceContext));
  if (n > limits.max_service_contexts) d.set_fault(Fault::LimitExceeded);
  if (d.ok()) out.reset(n);
  for (std::uint32_t i = 0; i < n && d.ok(); ++i) {
    out[i].id = d.get_ulong();
    out[i].data = get_octets(d, spill, limits.max_context_bytes);
  }
  if (!d.ok()) out.clear();
  return d.ok();
}

void encode(cdr::Encoder& e, std::span<const ServiceContext> contexts) {
  e.put_ulong(static_cast<std::uint32_t>(contexts.size()));
  for (const ServiceContext& c : contexts) {
    e.put_ulong(c.id);
    e.put_octets(c.data);
  }
}

std::optional<CodeSetContext> parse_code_set_context(ByteView data) {
  cdr::Budget budget{data.size(), 1};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(data, budget);
  CodeSetContext c;
  c.char_data = d.get_ulong();
  c.wchar_data = d.get_ulong();
  if (!d.ok()) return std::nullopt;
  return c;
}

std::array<Byte, 12> code_set_context(const CodeSetContext& c, ByteOrder order) {
  std::array<Byte, 12> data{};
  data[0] = static_cast<Byte>(order);
  store(data.data() + 4, c.char_data, order != kNativeOrder);
  store(data.data() + 8, c.wchar_data, order != kNativeOrder);
  return data;
}

}  // namespace callis::giop
