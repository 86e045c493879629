// SPDX-License-Identifier: Apache-2.0
// OptionTable: options of callis events in a table: what --help says of each, and what its value becomes. Plain and
// real-time channels have one each, with a Target of their own. Never changes.
//
//   const OptionTable<ServiceOptions> table{
//       Row::number({"--max-channels", "NUMBER", "that there may be; 1000"}, 1, 100'000,
//                   [](ServiceOptions& to) -> auto& { return to.channels; }), ...};
#pragma once
#include <services/common/program.h>
#include <services/events/queue.h>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace callis::events {

template <class Target>
struct TableOption {
  using Frame = services::Frame;
  using Own = services::OwnOption;

  Own option;
  std::function<void(const Frame&, Target&)> read;  // empty: who uses the value reads it

  static TableOption unread(Own option) { return {std::move(option), {}}; }

  // use(value, target), with the last value; frame: use(value, target, frame). Throws ProgramFailed.
  template <class Use>
  static TableOption text(Own option, Use use) {
    auto read = [name = option.name, use](const Frame& frame, Target& to) {
      if constexpr (std::is_invocable_v<Use, const std::string&, Target&, const Frame&>)
        use(frame.options.value(name), to, frame);
      else use(frame.options.value(name), to);
    };
    return {std::move(option), std::move(read)};
  }
  // The same with each value of one that may be there several times.
  template <class Use>
  static TableOption texts(Own option, Use use) {
    auto read = [name = option.name, use](const Frame& frame, Target& to) {
      for (const std::string& value : frame.options.values(name)) use(value, to);
    };
    return {std::move(option), std::move(read)};
  }
  // field(target): a reference to what becomes the number, also milliseconds.
  template <class Field>
  static TableOption number(Own option, std::uint64_t least, std::uint64_t most, Field field) {
    auto read = [name = option.name, least, most, field](const Frame& frame, Target& to) {
      auto& out = field(to);
      out = static_cast<std::remove_reference_t<decltype(out)>>(frame.options.number(name, least, least, most));
    };
    return {std::move(option), std::move(read)};
  }
  // The same of a policy of full queues.
  template <class Field>
  static TableOption overflow(Own option, Field field) {
    return text(option, [name = option.name, field](const std::string& value, Target& to) {
      const auto policy = overflow_of(value);
      if (!policy)
        throw services::ProgramFailed{services::kWrongUsage, name + " is oldest, newest, priority or disconnect"};
      field(to) = *policy;
    });
  }
};

template <class Target>
class OptionTable {
 public:
  OptionTable(std::initializer_list<TableOption<Target>> rows) : rows_(rows) {}

  // In the order of the table, for --help.
  std::vector<services::OwnOption> options() const {
    std::vector<services::OwnOption> out;
    for (const auto& row : rows_) out.push_back(row.option);
    return out;
  }
  bool any_given(const services::Options& given) const {
    for (const auto& row : rows_)
      if (given.has(row.option.name)) return true;
    return false;
  }
  // Those that were given, in the order of the table; the target keeps the rest of what it has. Throws ProgramFailed.
  void read(const services::Frame& frame, Target& to) const {
    for (const auto& row : rows_)
      if (row.read && frame.options.has(row.option.name)) row.read(frame, to);
  }

 private:
  const std::vector<TableOption<Target>> rows_;
};

}  // namespace callis::events
