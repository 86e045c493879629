// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/made_exceptions.h>
#include <callis/poa/adapter/warnings.h>
#include <callis/poa/dispatch/parts.h>
#include <callis/poa/servant/minor_codes.h>
#include <memory>
#include <string>

CALLIS_PROVIDE(explained_exceptions);

namespace callis::poa {

// The texts are given as an application would give them: such texts are sent (context/exception_texts.h).

void answer_with_warning(orb::ServerRequest& request, const CORBA::SystemException& e) {
  std::string text;
  if (!warn_of_nested_timeout(request.operation(), e, text)) return request.system_exception(e);
  CORBA::TIMEOUT told(e.minor(), e.completed());
  told.detail(text);
  request.system_exception(told);
}

void answer_foreign_exception(orb::ServerRequest& request, CORBA::CompletionStatus completed) {
  warn_of_foreign_exception(request.operation());
  CORBA::UNKNOWN told(kServantThrew, completed);
  told.detail(kForeignExceptionText);
  request.system_exception(told);
}

}  // namespace callis::poa
