// SPDX-License-Identifier: Apache-2.0
// The code sets of a connection to a server (CORBA 3.3 part 2, 7.10.2.5); part of the feature code_sets.
#pragma once
#include <callis/cdr/text.h>
#include <callis/giop/message.h>
#include <callis/giop/service_context.h>
#include <callis/orb/base/orb_features.h>

namespace callis::orb {

struct Conversation;
struct Options;

// Reads the connection's code sets from the contexts of a request, and sets the form of text for them. Returns false
// if they name a code set that was not offered.
CALLIS_OPTIONAL bool take_code_sets(const Options& options, const giop::ServiceContexts& contexts,
                                    giop::Version version, Conversation& conversation, cdr::TextForm& text);

}  // namespace callis::orb
