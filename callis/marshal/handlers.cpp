// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/handlers.h>
#include <callis/marshal/scope.h>

namespace callis::marshal {

namespace {

constinit const SlotHandlers* g_handlers[static_cast<std::size_t>(Kind::Value) + 1] = {};
constinit ValueScopes g_scopes{};

}  // namespace

void set_slot_handlers(Kind kind, const SlotHandlers& handlers) noexcept {
  g_handlers[static_cast<std::size_t>(kind)] = &handlers;
}
const SlotHandlers* slot_handlers(Kind kind) noexcept { return g_handlers[static_cast<std::size_t>(kind)]; }

const ValueScopes& value_scopes() noexcept { return g_scopes; }
void set_value_scopes(const ValueScopes& scopes) noexcept { g_scopes = scopes; }

EncoderScope::EncoderScope(cdr::Encoder& e) : e_(e) {
  if (!g_scopes.open_encoder || e.values()) return;
  scope_ = g_scopes.open_encoder();
  if (scope_) e.set_values(scope_);
  else e.set_fault(Fault::OutOfMemory);
}
EncoderScope::~EncoderScope() {
  if (!scope_) return;
  e_.set_values(nullptr);
  g_scopes.close_encoder(scope_);
}

DecoderScope::DecoderScope(cdr::Decoder& d, const void* around) : d_(d) {
  if (!g_scopes.open_decoder || d.values()) return;
  scope_ = g_scopes.open_decoder(around);
  if (scope_) d.set_values(scope_);
  else d.set_fault(Fault::OutOfMemory);
}
DecoderScope::~DecoderScope() {
  if (!scope_) return;
  d_.set_values(nullptr);
  g_scopes.close_decoder(scope_, !d_.ok());
}

}  // namespace callis::marshal
