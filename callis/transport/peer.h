// SPDX-License-Identifier: Apache-2.0
// Peer: who is at the other end of a stream, as the operating system or the transport vouches for it. What decides
// about access, counting and forwards asks this, never a text for people.
#pragma once
#include <cstdint>
#include <string>

namespace callis::transport {

// From how far away a place can be reached, from near to far: endpoints in memory; Unix-domain sockets and loopback
// addresses; addresses of one link; all others.
enum class Reach : std::uint8_t { Process, Machine, Link, Anywhere };

struct Peer {
  enum class Kind : std::uint8_t {
    Memory,   // this process
    Local,    // a process of this machine that the system knows
    Address,  // an address of a network, and whoever is behind it
  };
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  Kind kind = Kind::Memory;
  Reach reach = Reach::Process;
  bool here = true;  // this machine's: Memory, Local, and the addresses by which this machine reaches itself
  // Local, where the system tells.
  std::uint32_t user = kUnknown, process = kUnknown;
  // Address: in figures, "10.1.2.3". Local: "user 1000" of a client, "unix:/path" of a server. Equal for equal peers.
  std::string host;
  // Of the stream: differs from those of all other streams of this process. 0: not of a stream.
  std::uint64_t stream = 0;

  // A peer of that address, in figures.
  static Peer at(std::string address);
  static std::uint64_t next_stream();
};

// What connections from a peer are counted by: an IPv6 address's network of 64 bits, since who has one address of it
// mostly has all; any other peer's host. Not for people.
std::string counted_with(const Peer& peer);

}  // namespace callis::transport
