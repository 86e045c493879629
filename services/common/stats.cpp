// SPDX-License-Identifier: Apache-2.0
#include <callis/base/json_text.h>
#include <services/common/stats.h>
#include <algorithm>

namespace callis::services {

Counters::Counter& Counters::named(const std::string& name, bool gauge) {
  const std::lock_guard lock(mutex_);
  for (Named& each : all_)
    if (each.name == name) return each.number;
  return all_.emplace_back(name, gauge).number;
}

Counters::Source Counters::collect(std::function<void(const Add&)> source) {
  const std::lock_guard lock(sources_mutex_);
  sources_.emplace_back(next_, std::move(source));
  return Source(this, next_++);
}

void Counters::drop(std::uint64_t id) {
  const std::lock_guard lock(sources_mutex_);
  sources_.remove_if([&](const auto& each) { return each.first == id; });
}

std::vector<Value> Counters::values() const {
  std::vector<Value> out;
  {
    const std::lock_guard lock(mutex_);
    for (const Named& each : all_)
      out.push_back({each.name, each.number.load(std::memory_order_relaxed), each.gauge});
  }
  {
    const std::lock_guard lock(sources_mutex_);
    for (const auto& [id, source] : sources_) source([&](Value&& value) { out.push_back(std::move(value)); });
  }
  std::stable_sort(out.begin(), out.end(), [](const Value& a, const Value& b) { return a.name < b.name; });
  return out;
}

std::string Counters::to_lines() const { return services::to_lines(values()); }
std::string Counters::to_json() const { return services::to_json(values()); }

std::string to_lines(const std::vector<Value>& values) {
  std::size_t width = 0;
  for (const Value& v : values) width = std::max(width, v.name.size());
  std::string out;
  for (const Value& v : values)
    out += v.name + std::string(width - v.name.size() + 2, ' ') + std::to_string(v.number) + "\n";
  return out;
}

std::string to_json(const std::vector<Value>& values) {
  std::string out = "{";
  for (const Value& v : values)
    out += (out.size() > 1 ? "," : "") + json_string(v.name) + ":" + std::to_string(v.number);
  return out + "}";
}

}  // namespace callis::services
