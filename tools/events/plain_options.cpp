// SPDX-License-Identifier: Apache-2.0
// The table of the options of plain channels. Those without a reader name what main.cpp makes: channels, journals.
#include <services/programs/usage.h>
#include <callis/base/text.h>
#include <tools/events/option_table.h>
#include <tools/events/plain_options.h>
#include <algorithm>

namespace callis::events {

namespace {

using To = ServiceOptions;
using Row = TableOption<To>;

// "IDL:Plant/Alarm:1.0=7"
void add_priority(const std::string& text, To& options) {
  ChannelOptions& to = options.channel;
  const auto wrong = [](const std::string& what) {
    throw services::ProgramFailed{services::kWrongUsage, "--priority " + what};
  };
  if (to.lane.bounds.overflow != Overflow::DiscardByPriority)
    wrong("is for --overflow priority: other policies do not look at priorities");
  const std::size_t equals = text.rfind('=');
  std::uint64_t number = 0;
  if (equals == std::string::npos || equals == 0 || !parse_decimal(text.substr(equals + 1), kPriorities - 1, number))
    wrong("is TYPE=NUMBER, a repository id and a priority from 0 to 7, not '" + programs::escaped(text) + "'");
  if (!to.priorities.emplace(text.substr(0, equals), static_cast<std::uint8_t>(number)).second)
    wrong("is given twice for '" + programs::escaped(text.substr(0, equals)) + "'");
}

const OptionTable<To>& table() {
  static const OptionTable<To> all{
      Row::unread({"--channel", "NAME", "makes that channel (EventChannel); may be there several times", true}),
      Row::unread({"--typed", "NAME",
                   "makes that channel, where --channel has not, and its typed face, corbaloc::HOST:PORT/NAME/typed\n"
                   "(CosTypedEventChannelAdmin::TypedEventChannel); may be there several times", true}),
      Row::unread({"--repository", "REFERENCE",
                   "of the Interface Repository that has the interfaces of typed channels; the initial reference\n"
                   "InterfaceRepository"}),
      Row::unread({"--typed-interface", "ID",
                   "a repository id: typed channels call consumers and suppliers by that interface; may be there\n"
                   "several times; without it by any that the repository has", true}),
      Row::number({"--queue", "EVENTS", "that wait for one consumer at most; 1000"}, 1, 10'000'000,
                  [](To& to) -> auto& { return to.channel.lane.bounds.events; }),
      Row::number({"--queue-bytes", "BYTES", "the same in bytes; 16777216"}, 1, std::uint64_t{1} << 40,
                  [](To& to) -> auto& { return to.channel.lane.bounds.bytes; }),
      Row::overflow({"--overflow", "POLICY",
                     "oldest, newest, priority: which event a full queue discards (priority: the one of the\n"
                     "lowest, and of those the oldest); disconnect: its consumer is disconnected; oldest"},
                    [](To& to) -> auto& { return to.channel.lane.bounds.overflow; }),
      Row::texts({"--priority", "TYPE=NUMBER",
                  "of events of that type, a repository id: 0 to 7, the highest; 0; for --overflow priority;\n"
                  "may be there several times", true}, &add_priority),
      Row::number({"--event-bytes", "BYTES", "larger events are refused: IMP_LIMIT; 1048576"}, 1,
                  std::uint64_t{1} << 30, [](To& to) -> auto& { return to.channel.event_bytes; }),
      Row::number({"--deadline", "MILLISECONDS", "of a call to a consumer or supplier; 2000"}, 1, 600'000,
                  [](To& to) -> auto& { return to.channel.deadline; }),
      Row::number({"--failures", "NUMBER",
                   "of calls, one after the other, after which who was called is dropped; 5"}, 1, 1'000'000,
                  [](To& to) -> auto& { return to.channel.lane.failures; }),
      Row::number({"--poll", "MILLISECONDS",
                   "the longest pause between two questions to a supplier that is pulled; 1000"}, 1, 3'600'000,
                  [](To& to) -> auto& { return to.channel.poll.longest_pause; }),
      Row::number({"--longest-pull", "MILLISECONDS",
                   "a pull() that nothing came for so long is TRANSIENT; 600000"}, 1, 86'400'000,
                  [](To& to) -> auto& { return to.channel.longest_pull; }),
      Row::number({"--threads", "NUMBER",
                   "that call consumers and suppliers; slow ones use half of them at most; 32"}, 2, 1'024,
                  [](To& to) -> auto& { return to.pool.threads; }),
      Row::unread({"--durable", "URL[,URL...]",
                   "nats://HOST:PORT of servers of NATS with JetStream: push() returns when an event is kept\n"
                   "there; named consumers get what came while they or this service did not run"}),
      Row::unread({"--durable-bytes", "BYTES", "that are kept of a channel; then the oldest events go; 1073741824"}),
      Row::unread({"--durable-age", "SECONDS", "that an event is kept at most; 604800"}),
      Row::unread({"--durable-replicas", "NUMBER", "of servers that keep each event; 1"}),
      Row::unread({"--durable-wait", "MILLISECONDS", "for a server of NATS; then push() is TRANSIENT; 5000"}),
      Row::number({"--connect-within", "MILLISECONDS",
                   "a proxy that nobody has connected for so long is gone; 600000"}, 1, 86'400'000,
                  [](To& to) -> auto& { return to.channel.connect_within; }),
      Row::number({"--max-proxies", "NUMBER", "of a channel; more are refused: IMP_LIMIT; 4096"}, 1, 1'000'000,
                  [](To& to) -> auto& { return to.channel.proxies; }),
      Row::number({"--max-channels", "NUMBER", "the same for channels; 1000"}, 1, 100'000,
                  [](To& to) -> auto& { return to.channels; }),
  };
  return all;
}

}  // namespace

std::vector<services::OwnOption> plain_options() { return table().options(); }

ServiceOptions read_plain_options(const services::Frame& frame) {
  ServiceOptions out;
  table().read(frame, out);
  out.memory = &frame.memory;
  PollOptions& poll = out.channel.poll;
  poll.failures = out.channel.lane.failures;
  poll.first_pause = std::min(poll.first_pause, poll.longest_pause);
  return out;
}

}  // namespace callis::events
