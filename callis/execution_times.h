// SPDX-License-Identifier: Apache-2.0
// Measures how long the operations of a server take, for `callis schedule --measured` (docs/guide/scheduling.md).
// What of callis a server includes for it; it links callis::interceptors. Programs that do not include it have
// nothing of it.
//
//   int main(int argc, char** argv) {
//     callis::measure_execution_times();
//     CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
//
// Does nothing unless the program is run with CALLIS_PROFILE=FILE in its environment; then FILE.times is written when
// an ORB is destroyed, and again when the program ends by exit() or main()'s return. A "%p" in FILE is the number of
// the process.
//
// A time is what the thread has of the processor (CLOCK_THREAD_CPUTIME_ID) from the interceptors' receive_request to
// the end of the upcall, without upcalls that the same thread makes meanwhile: waiting, and being preempted, do not
// count. Reading arguments and writing results do, where the ORB does them in between.
#pragma once
#include <callis/corba.h>
#include <string>

namespace callis {

// For the ORBs that are made from now on. True: they measure. Any thread; the second call changes nothing.
bool measure_execution_times();

// What was measured so far, as the file has it: "callis-times 1", then lines for each operation.
std::string execution_times();

}  // namespace callis
