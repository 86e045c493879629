// SPDX-License-Identifier: Apache-2.0
// A clean end on SIGINT and SIGTERM. What of callis an application includes for it; it links callis::orb.
//
//   CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
//   callis::shutdown_on_signals(orb);
//   ...
//   orb->run();        // returns after Ctrl-C or `kill`, when upcalls have ended and clients have been told
//   orb->destroy();    // and what follows is done, too
#pragma once
#include <callis/orb/base/orb.h>

namespace callis {

// From now on the first SIGINT or SIGTERM calls orb->shutdown(false), on a thread of callis's own; with several ORBs,
// that of each. Any signal of the two after the first takes its default action and so ends the process at once,
// whatever the shutdown waits for.
//
// Undone when the ORB has been shut down, by a signal or otherwise: with the last of the ORBs the signals are handled
// as they were before the first call. A signal that the process ignores stays ignored (nohup, a background job of a
// shell). A child of fork() has the signals' default actions, and does not shut its parent down.
//
// Any thread may call it. A second call for the same ORB does nothing. BAD_PARAM for nil; BAD_INV_ORDER, OMG minor 4,
// for an ORB that is being or has been shut down; OBJECT_NOT_EXIST for one that is destroyed; NO_RESOURCES, minor
// 0x4341409b, when there is no descriptor or no thread. After an exception nothing has changed.
void shutdown_on_signals(CORBA::ORB_ptr orb);

}  // namespace callis
