// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/code_sets.h>
#include <callis/orb/options/options.h>
#include <callis/orb/server/connection_code_sets.h>
#include <callis/orb/server/session.h>

CALLIS_PROVIDE(connection_code_sets);

namespace callis::orb {

bool take_code_sets(const Options& options, const giop::ServiceContexts& contexts, giop::Version version,
                    Conversation& conversation, cdr::TextForm& text) {
  if (const giop::ServiceContext* c = contexts.find(giop::kCodeSetsContext)) {
    const auto said = giop::parse_code_set_context(c->data);
    const std::uint32_t for_char = said ? said->char_data : ~0u, for_wchar = said ? said->wchar_data : ~0u;
    if (for_char != 0 && !ior::is_code_set_for_char(for_char)) return false;
    if (for_wchar != 0 && !ior::is_code_set_for_wchar(for_wchar)) return false;
    if (for_char != 0) conversation.char_code_set = for_char;
    if (for_wchar != 0) conversation.wchar_code_set = for_wchar;
  }
  text = {giop::wide_form(version, conversation.wchar_code_set),
          giop::char_form(options.native_char(), conversation.char_code_set)};
  return true;
}

}  // namespace callis::orb
