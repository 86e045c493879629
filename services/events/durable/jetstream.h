// SPDX-License-Identifier: Apache-2.0
// JetStream: a journal in NATS JetStream. A channel is a stream, PREFIX-CHANNEL, of one subject, PREFIX.CHANNEL,
// kept in files by the servers of NATS; characters that names in NATS cannot have are written =XX.
//
//   append()  publishes with an id of its own, so that an event that is sent twice is kept once, until the server has
//             acknowledged it or `wait` is over
//   follow()  an ephemeral consumer without acknowledgements. Where the server loses it, or an event is missing,
//             another one begins behind the last event that came
//   a name    a durable consumer, name-NAME, with one event under way; its deliveries go to one group of
//             subscriptions, so that services that run on the same JetStream share them
#pragma once
#include <services/events/journal.h>

namespace callis::events {

struct JetStreamOptions {
  std::vector<std::string> urls;         // nats://HOST:PORT; of one cluster; the library finds its other servers
  std::string prefix = "callis-events";  // of streams and subjects: letters, digits, '-' and '_'
  std::int64_t bytes = std::int64_t{1} << 30;   // of a channel; beyond it the oldest events are discarded
  std::chrono::seconds age{7 * 24 * 3'600};     // of an event; the same
  int replicas = 1;
  std::chrono::milliseconds wait{5'000};        // for the server: append(), and all else that asks it
  std::chrono::milliseconds patience{6'000};    // Journal::patience()
};

// Connects. Any thread. Throws JournalFailed: there is no libnats, no server, or one without JetStream.
std::unique_ptr<Journal> open_jetstream(const JetStreamOptions& options);

}  // namespace callis::events
