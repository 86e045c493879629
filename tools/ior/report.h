// SPDX-License-Identifier: Apache-2.0
// References in words: what `callis ior` prints.
#pragma once
#include <callis/ior/ior.h>
#include <tools/ior/ping.h>
#include <tools/ior/tree.h>
#include <functional>

namespace callis::tools {

// Asks one address for an object; as ping() with its limit.
using Ping = std::function<PingResult(const Place&, giop::Version, ByteView object_key)>;

struct Report {
  Tree tree;
  // With a Ping: at least one address leads to the object.
  bool reached = false;
};

// parsed: anything but a TextError. ping: each address is asked, in the reference's order; empty: none is.
Report report(const ior::ParsedReference& parsed, const Ping& ping = {});

}  // namespace callis::tools
