// SPDX-License-Identifier: Apache-2.0
// Service contexts: tagged data that travels with requests and replies (CORBA 3.3 part 2, 7.7).
#pragma once
#include <callis/giop/message.h>
#include <array>
#include <memory>
#include <optional>

namespace callis::giop {

inline constexpr std::uint32_t kCodeSetsContext = 1;
inline constexpr std::uint32_t kBiDirIiopContext = 5;
inline constexpr std::uint32_t kSendingContextRunTime = 6;
inline constexpr std::uint32_t kInvocationPoliciesContext = 7;
inline constexpr std::uint32_t kForwardedIdentityContext = 8;
inline constexpr std::uint32_t kUnknownExceptionInfoContext = 9;
inline constexpr std::uint32_t kRtCorbaPriorityContext = 10;
inline constexpr std::uint32_t kExceptionDetailContext = 14;

struct ServiceContext {
  std::uint32_t id = 0;
  ByteView data;  // usually an encapsulation
};

// The contexts of a message that came: views into it. Four without an allocation.
class ServiceContexts final {
 public:
  static constexpr std::size_t kInline = 4;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const ServiceContext& operator[](std::size_t i) const { return i < kInline ? few_[i] : more_[i - kInline]; }
  // The first with the id; nullptr when there is none.
  const ServiceContext* find(std::uint32_t id) const;

  void clear() { size_ = 0; }
  // That one in place of those that were there.
  void set(const ServiceContext& only) {
    size_ = 1;
    few_[0] = only;
  }
  // n in place of those that were there, to be filled in.
  void reset(std::size_t n) {
    size_ = n;
    if (n > kInline) more_.reset(new ServiceContext[n - kInline]);
  }
  ServiceContext& operator[](std::size_t i) { return i < kInline ? few_[i] : more_[i - kInline]; }

 private:
  std::array<ServiceContext, kInline> few_;
  std::unique_ptr<ServiceContext[]> more_;
  std::size_t size_ = 0;
};

// Reads a list. False with a fault in the decoder: LimitExceeded beyond max_service_contexts or
// max_context_bytes. spill holds data that was split over GIOP 1.1 fragments; it must be empty or hold what
// an earlier read from this decoder put there.
[[nodiscard]] bool decode(cdr::Decoder& d, ServiceContexts& out, Buffer& spill, const Limits& limits);
void encode(cdr::Encoder& e, std::span<const ServiceContext> contexts);

// CONV_FRAME::CodeSetContext (7.10.2.5): the encodings of char and wchar data on a connection.
struct CodeSetContext {
  std::uint32_t char_data = 0;
  std::uint32_t wchar_data = 0;
  friend bool operator==(const CodeSetContext&, const CodeSetContext&) = default;
};
std::optional<CodeSetContext> parse_code_set_context(ByteView data);
// The context's data.
std::array<Byte, 12> code_set_context(const CodeSetContext& c, ByteOrder order = kNativeOrder);

}  // namespace callis::giop
