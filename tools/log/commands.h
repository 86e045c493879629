// SPDX-License-Identifier: Apache-2.0
// The commands of callis log. They print, and throw Failure.
#pragma once
#include <tools/log/session.h>
#include <tools/log/showing.h>

namespace callis::logs {

void list(const Session& session, Showing& showing, const Arguments& arguments);
// --follow: until the standard output is closed or a signal ends the program.
void tail(const Session& session, Showing& showing, const Arguments& arguments);
void query(const Session& session, Showing& showing, const Arguments& arguments);
void export_records(const Session& session, Showing& showing, const Arguments& arguments);

}  // namespace callis::logs
