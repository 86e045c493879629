// SPDX-License-Identifier: Apache-2.0
// Feature micro_calls: CORBA::Object's own questions, in a program that has no stubs.
#include <callis/marshal/handlers.h>
#include <callis/micro/call.h>

CALLIS_PROVIDE(micro_calls);

namespace callis::micro {
namespace {

CALLIS_INSTALLER void install() { asker = &ask; }

}  // namespace
}  // namespace callis::micro
