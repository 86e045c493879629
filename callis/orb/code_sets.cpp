// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/ior/code_sets.h>
#include <callis/orb/code_sets.h>
#include <callis/orb/core.h>
#include <callis/orb/session.h>

CALLIS_PROVIDE(code_sets);

namespace callis::orb {

void choose_code_sets(const ior::Ior& ior, const ior::IiopProfile& p, const Core& core, Path& path) {
  const Options& o = core.options();
  path.chars = giop::char_form(o.native_char(), ior::kIso8859_1);
  if (path.version < giop::kGiop11) return;
  const auto found = ior::find_code_sets(ior, p, core.limits());
  if (!found || !found.value()) return;
  const ior::CodeSetComponent& server = *found.value();
  const ior::CodeSetComponent ours = ior::offered_code_sets(o.native_char(), o.native_wchar());
  const auto for_char = ior::choose_code_set(ours.for_char, server.for_char, ior::kUtf8);
  const auto for_wchar = ior::choose_code_set(ours.for_wchar, server.for_wchar, ior::kUtf16);
  if (for_char) {
    path.char_code_set = for_char.value();
    path.chars = giop::char_form(o.native_char(), path.char_code_set);
  } else if (for_char.fault() == Fault::CodeSetsIncompatible) {
    path.chars = cdr::CharForm::Incompatible;
  }
  if (for_wchar) {
    path.wchar_code_set = for_wchar.value();
    path.wide = giop::wide_form(path.version, path.wchar_code_set);
  } else if (for_wchar.fault() == Fault::CodeSetsIncompatible) {
    path.wide = cdr::WideForm::Incompatible;
  }
}

std::string connection_suffix(const Path& path) {
  if (path.char_code_set == 0 && path.wchar_code_set == 0) return {};
  const bool granted = path.char_code_set == ior::kIso8859_1 && (path.wchar_code_set == ior::kUtf16 || path.wchar_code_set == 0);
  if (granted) return {};
  return concat({" ", Decimal(path.char_code_set), "/", Decimal(path.wchar_code_set)});
}

void offer_code_sets(const Options& o, std::vector<ior::TaggedComponent>& to) {
  ior::add(to, ior::code_sets_component(ior::offered_code_sets(o.native_char(), o.native_wchar())));
}

// The code sets of the connection, as far as a context says them. False when it names one that nobody offered.
bool Session::take_code_sets(giop::Version version) {
  if (const giop::ServiceContext* c = request_.contexts.find(giop::kCodeSetsContext)) {
    const auto said = giop::parse_code_set_context(c->data);
    const std::uint32_t for_char = said ? said->char_data : ~0u, for_wchar = said ? said->wchar_data : ~0u;
    if (for_char != 0 && !ior::is_code_set_for_char(for_char)) return false;
    if (for_wchar != 0 && !ior::is_code_set_for_wchar(for_wchar)) return false;
    if (for_char != 0) conversation_->char_code_set = for_char;
    if (for_wchar != 0) conversation_->wchar_code_set = for_wchar;
  }
  text_ = {giop::wide_form(version, conversation_->wchar_code_set),
           giop::char_form(core_.options().native_char(), conversation_->char_code_set)};
  if (text_ != cdr::TextForm{} && version == giop::kGiop12) {
    seen_.forget();  // what is known is served as usual
    conversation_->usual_text = false;
  }
  return true;
}

}  // namespace callis::orb
