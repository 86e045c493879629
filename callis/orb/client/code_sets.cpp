// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/code_sets.h>
#include <callis/orb/client/code_sets.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint.h>

CALLIS_PROVIDE(code_sets);

namespace callis::orb {

void choose_code_sets(const ior::Ior& ior, const ior::IiopProfile& p, const OrbContext& orb, Path& path) {
  const Options& o = orb.options();
  path.chars = giop::char_form(o.native_char(), ior::kIso8859_1);
  if (path.version < giop::kGiop11) return;
  const auto found = ior::find_code_sets(ior, p, orb.limits());
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

void tell_code_sets(const Path& path, EndpointIdentity& identity) {
  const bool granted =
      path.char_code_set == ior::kIso8859_1 && (path.wchar_code_set == ior::kUtf16 || path.wchar_code_set == 0);
  if (granted) return;
  identity.char_code_set = path.char_code_set;
  identity.wchar_code_set = path.wchar_code_set;
}

void offer_code_sets(const Options& o, std::vector<ior::TaggedComponent>& to) {
  if (o.leave_out_code_sets) return;
  ior::add(to, ior::code_sets_component(ior::offered_code_sets(o.native_char(), o.native_wchar())));
}

}  // namespace callis::orb
