// SPDX-License-Identifier: Apache-2.0
// One of the ORBs of a process: the program's, or a plugin's. The functions are of C: the two sides share no class.
#pragma once
#include <cstddef>

extern "C" {

// Each returns what went wrong, or null; the text lasts until the next call.
struct Side {
  const char* orb;
  const char* (*begin)();                // makes the ORB, and a server
  const char* (*reference)();            // of the server, while the ORB is there
  const char* (*call)(const char* ior);  // calls the server, and catches what it throws
  const char* (*end)();                  // shuts the ORB down and destroys it
};

// A plugin has a function of that type, by the name kSideOfPlugin.
using GetSide = const Side* (*)();
}

inline constexpr char kSideOfPlugin[] = "two_orbs_side_of_plugin";
