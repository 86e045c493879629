// SPDX-License-Identifier: Apache-2.0
// Measured execution times: read, written, and put into RT_Infos.
#include <callis/base/percent_coded.h>
#include <callis/base/text.h>
#include <services/scheduling/checked.h>
#include <services/scheduling/json_file.h>
#include <services/scheduling/measured.h>
#include <services/scheduling/time_text.h>
#include <map>

namespace callis::scheduling {

namespace {

constexpr std::string_view kFirstLine = "callis-times 1";
constexpr std::size_t kMostNotes = 100;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

class MeasuredReading {
 public:
  MeasuredReading(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<MeasuredOperation> run() {
    if (text_.size() > kMostMeasuredBytes)
      refuse("the file has " + std::to_string(text_.size()) + " bytes; " + std::to_string(kMostMeasuredBytes) +
             " are allowed");
    if (next_line() != kFirstLine)
      refuse("the first line is '" + std::string(kFirstLine) + "'; this is another file");
    while (at_ < text_.size()) {
      line_ = next_line();
      if (line_.empty() || line_[0] == '#') continue;
      const std::string_view kind = word();
      if (kind == "op")
        operation();
      else if (kind == "le")
        bucket();
      else
        refuse("a line begins with 'op' or 'le', not with " + quoted(kind));
      if (!line_.empty()) refuse("the line has words too many: " + quoted(line_));
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& text) const { refuse_at(file_, {number_, 1}, text); }

  std::string_view next_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view out = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    return out;
  }
  std::string_view word() {
    const std::size_t end = std::min(line_.find(' '), line_.size());
    const std::string_view out = line_.substr(0, end);
    line_.remove_prefix(std::min(end + 1, line_.size()));
    return out;
  }
  std::uint64_t count(const char* what, std::uint64_t most) {
    const std::string_view text = word();
    std::uint64_t out = 0;
    if (!parse_decimal(text, most, out))
      refuse(std::string(what) + " is a number up to " + std::to_string(most) + ", not " + quoted(text));
    return out;
  }
  Time time(const char* what) {
    return Time(static_cast<std::int64_t>(count(what, static_cast<std::uint64_t>(kNever))));
  }
  std::string decoded(const char* what) {
    const std::string_view text = word();
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '%') {
        out += text[i];
        continue;
      }
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
      if (low < 0) refuse(std::string(what) + " has a % without two hexadecimal digits: " + quoted(text));
      out += static_cast<char>(high << 4 | low);
      i += 2;
    }
    if (out.empty()) refuse(std::string(what) + " is missing");
    return out;
  }
  void operation() {
    if (out_.size() >= kMostMeasuredOperations)
      refuse("there are more than " + std::to_string(kMostMeasuredOperations) + " operations");
    MeasuredOperation o;
    o.calls = count("the number of calls", 1'000'000'000'000'000);
    o.greatest = time("the greatest time");
    o.total = time("the sum of all times");
    o.name = decoded("the operation's name");
    o.repository_id = decoded("the interface's repository id");
    if (o.calls == 0 || o.greatest > o.total)
      refuse("the operation was not called, or one call took longer than all");
    if (o.greatest > kLongestTime) refuse("the greatest time is more than " + time_text(kLongestTime));
    out_.push_back(std::move(o));
  }
  void bucket() {
    if (out_.empty()) refuse("an 'le' line stands behind an 'op' line");
    auto& buckets = out_.back().buckets;
    const MeasuredOperation::Bucket fresh{time("the time"), count("the number of calls", 1'000'000'000'000'000)};
    if (!buckets.empty() && fresh.up_to <= buckets.back().up_to) refuse("the times of 'le' lines rise");
    if (buckets.size() >= kMostBuckets) refuse("there are more than " + std::to_string(kMostBuckets) + " 'le' lines");
    buckets.push_back(fresh);
  }

  const std::string_view text_;
  const std::string& file_;
  std::string_view line_;
  std::size_t at_ = 0, number_ = 0;
  std::vector<MeasuredOperation> out_;
};

}  // namespace

Time MeasuredOperation::typical() const {
  std::uint64_t all = 0, sum = 0;
  for (const Bucket& b : buckets) all += b.calls;
  for (const Bucket& b : buckets) {
    sum += b.calls;
    if (all != 0 && sum >= all - sum) return std::min(b.up_to, greatest);
  }
  return std::min(greatest, Time(total.count() / static_cast<std::int64_t>(std::max<std::uint64_t>(calls, 1))));
}

std::string MeasuredOperation::entry_point() const {
  std::string_view id = repository_id;
  if (id.starts_with("IDL:")) id.remove_prefix(4);
  id = id.substr(0, id.rfind(':'));
  const std::size_t first = id.find('/');
  if (first != std::string_view::npos && id.substr(0, first).find('.') != std::string_view::npos)
    id.remove_prefix(first + 1);
  std::string out;
  for (const char c : id) out += c == '/' ? "::" : std::string(1, c);
  return out + "::" + name;
}

std::vector<MeasuredOperation> read_measured(std::string_view text, const std::string& file) {
  return MeasuredReading(text, file).run();
}

std::string to_text(const std::vector<MeasuredOperation>& operations) {
  std::string out = std::string(kFirstLine) + "\n";
  for (const MeasuredOperation& o : operations) {
    out += "op " + std::to_string(o.calls) + " " + std::to_string(o.greatest.count()) + " " +
           std::to_string(o.total.count()) + " " + percent_coded(o.name) + " " + percent_coded(o.repository_id) +
           "\n";
    for (const auto& b : o.buckets)
      out += "le " + std::to_string(b.up_to.count()) + " " + std::to_string(b.calls) + "\n";
  }
  return out;
}

Merged merge(Model& model, const std::vector<MeasuredOperation>& operations, std::uint32_t margin_percent) {
  std::map<std::string, std::pair<Time, Time>> by_name;  // greatest and typical
  for (const MeasuredOperation& o : operations) {
    auto& [greatest, typical] = by_name[o.entry_point()];
    greatest = std::max(greatest, o.greatest);
    typical = std::max(typical, o.typical());
  }
  Merged out;
  const auto note = [&](const std::string& text) {
    if (out.notes.size() < kMostNotes) out.notes.push_back(text);
  };
  for (const auto& [name, seen] : by_name) {
    const Index at = model.find(name);
    if (at == kNobody) {
      note(quoted(name) + " was measured, but is not scheduled");
      continue;
    }
    RtInfo info = model.infos()[at];
    const Time with_margin(std::min(plus(seen.first.count(), parts(times(seen.first.count(), margin_percent), 100)),
                                    kLongestTime.count()));
    if (info.worst_case.count() == 0) {
      ++out.taken;
      info.worst_case = with_margin;
    } else if (seen.first > info.worst_case) {
      ++out.raised;
      note(quoted(name) + " took " + time_text(seen.first) + ", more than its " + time_text(info.worst_case) +
           ": its worst case is now " + time_text(with_margin));
      info.worst_case = with_margin;
    } else {
      ++out.confirmed;
    }
    info.typical = std::min(seen.second, info.worst_case);
    info.cached = std::min(info.cached, info.worst_case);
    model.change(at, std::move(info));
  }
  return out;
}

}  // namespace callis::scheduling
