// SPDX-License-Identifier: Apache-2.0
// Texts of system exceptions on the wire: the service context ExceptionDetailMessage (CORBA 3.0.3, 13.7.1), an
// encapsulation of a wstring in UTF-16 of GIOP 1.2. A feature: programs without it neither send nor read them.
#pragma once
#include <callis/base/feature.h>
#include <callis/giop/service_context.h>
#include <span>
#include <string>

CALLIS_FEATURE(exception_texts);

namespace CORBA::inline callis_orb {
class SystemException;
}

namespace callis::orb {

// The text among the contexts of a reply, as UTF-8, or empty. The text is from the peer, so not printable yet. A text
// of more than Printable::kMost characters is cut there; a text with invalid UTF-16 is cut at the fault.
CALLIS_OPTIONAL std::string exception_text_in(const giop::ServiceContexts& contexts);

// The same behind ": ", if there is a text.
CALLIS_OPTIONAL void append_exception_text(std::string& to, const giop::ServiceContexts& contexts);

// Adds the exception's text to the contexts of its reply. The contexts belong to the thread then, until the next
// call. Does nothing if the contexts have a text already, or with -ORBExceptionTexts keep. arguments belong to the
// request.
CALLIS_OPTIONAL void add_exception_text(std::span<const giop::ServiceContext>& contexts,
                                        const CORBA::SystemException& x, const cdr::Decoder& arguments);

}  // namespace callis::orb
