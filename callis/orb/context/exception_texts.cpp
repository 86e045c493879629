// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/classic/exception.h>
#include <callis/orb/context/exception_texts.h>
#include <callis/orb/context/orb_context.h>
#include <algorithm>
#include <memory>
#include <vector>

CALLIS_PROVIDE(exception_texts);

namespace callis::orb {
namespace {

void put_utf8(std::string& to, char32_t c) {
  const auto put = [&](char32_t byte) { to.push_back(static_cast<char>(byte)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xc0 | c >> 6);
  } else {
    if (c < 0x10000) {
      put(0xe0 | c >> 12);
    } else {
      put(0xf0 | c >> 18);
      put(0x80 | (c >> 12 & 0x3f));
    }
    put(0x80 | (c >> 6 & 0x3f));
  }
  put(0x80 | (c & 0x3f));
}

// Writes as many characters as fit into room, with a NUL behind them. Printable has made utf8 well-formed. It uses no
// std::wstring: programs that take std::wstring's functions from here would have the feature.
void widen(std::string_view utf8, std::span<wchar_t> room) {
  std::size_t n = 0;
  for (const char each : utf8) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte >= 0x80 && byte < 0xc0) {
      if (n != 0) room[n - 1] = static_cast<wchar_t>(room[n - 1] << 6 | (byte & 0x3f));
      continue;
    }
    if (n + 1 == room.size()) break;
    room[n++] = static_cast<wchar_t>(byte < 0x80 ? byte : byte & (byte < 0xe0 ? 0x1f : byte < 0xf0 ? 0x0f : 0x07));
  }
  room[n] = 0;
}

}  // namespace

std::string exception_text_in(const giop::ServiceContexts& contexts) {
  std::string text;
  if (contexts.empty()) return text;
  const giop::ServiceContext* const context = contexts.find(giop::kExceptionDetailContext);
  if (!context) return text;
  cdr::Budget budget{0, 1};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(context->data, budget);
  const std::size_t octets = d.get_ulong();  // from the peer
  if (!d.ok() || octets > d.remaining()) return text;
  wchar_t room[Printable::kMost + 1] = {};
  // After a fault the room has the characters before it.
  d.get_wide(room, static_cast<std::uint32_t>(std::min(octets / 2, Printable::kMost)));
  for (const wchar_t* c = room; *c; ++c) put_utf8(text, static_cast<char32_t>(*c));
  if (octets / 2 > Printable::kMost) text += "...";
  return text;
}

void append_exception_text(std::string& to, const giop::ServiceContexts& contexts) {
  const std::string text = exception_text_in(contexts);
  if (!text.empty()) to += ": " + text;
}

void add_exception_text(std::span<const giop::ServiceContext>& contexts, const CORBA::SystemException& x,
                        const cdr::Decoder& arguments) {
  struct OfThread {  // on the heap: memory of threads is scarce if a program loads callis as a plugin
    Buffer bytes;
    std::vector<giop::ServiceContext> all;
  };
  static thread_local std::unique_ptr<OfThread> of_thread;
  const auto is_text = [](const giop::ServiceContext& c) { return c.id == giop::kExceptionDetailContext; };
  if (orb_of(arguments)->options().keep_exception_texts) return;
  if (std::ranges::any_of(contexts, is_text)) return;
  if (!of_thread) of_thread = std::make_unique<OfThread>();
  auto& [bytes, all] = *of_thread;
  wchar_t text[Printable::kMost + 4];  // "..." may stand behind so many characters
  widen(x.detail(), text);
  bytes.clear();
  {
    cdr::Encoder to(bytes);
    to.put_octet(static_cast<Byte>(kNativeOrder));
    to.put_wstring(text);
  }
  all.assign(contexts.begin(), contexts.end());
  all.push_back({giop::kExceptionDetailContext, bytes.view()});
  contexts = all;
}

}  // namespace callis::orb
