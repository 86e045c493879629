// SPDX-License-Identifier: Apache-2.0
// The commands of callis ns. Each throws Failure, or what main() explains.
#pragma once
#include <tools/ns/session.h>

namespace callis::ns {

void list(const Session& session, const Arguments& arguments);
void tree(const Session& session, const Arguments& arguments);
void bind(const Session& session, const Arguments& arguments);  // and rebind
void unbind(const Session& session, const Arguments& arguments);
void resolve(const Session& session, const Arguments& arguments);
void make_context(const Session& session, const Arguments& arguments);
void remove(const Session& session, const Arguments& arguments);
void write_graph(const Session& session, const Arguments& arguments);  // export
void read_graph(const Session& session, const Arguments& arguments);   // import
void watch(const Session& session, const Arguments& arguments);
void orphans(const Session& session, const Arguments& arguments);

}  // namespace callis::ns
