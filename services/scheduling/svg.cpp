// SPDX-License-Identifier: Apache-2.0
// The picture of the critical instant: a row for each operation, a bar where it runs, a mark at each release.
#include <services/scheduling/report.h>
#include <services/scheduling/simulation.h>
#include <services/scheduling/time_text.h>
#include <algorithm>
#include <cstdio>

namespace callis::scheduling {

namespace {

constexpr std::size_t kMostRows = 100, kMostSlices = 20'000, kMostMarks = 5'000, kMostLabel = 40;
constexpr double kLeft = 330, kWidth = 1000, kRow = 26, kTop = 50;

std::string escaped_text(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kMostLabel)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (static_cast<unsigned char>(c) < 0x80)
      out += c;
    else
      out += '?';
  }
  return text.size() > kMostLabel ? out + "..." : out;
}

class Picture {
 public:
  Picture(const Model& model, const Schedule& schedule, Time span) : model_(model), schedule_(schedule), span_(span) {
    tasks_ = tasks_of(model, schedule, infos_);
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      longest_ = std::max(longest_, tasks_[t].period);
      if (tasks_[t].execution.count() != 0) rows_.push_back(t);
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [this](std::size_t a, std::size_t b) { return tasks_[a].lane > tasks_[b].lane; });
    if (rows_.size() > kMostRows) rows_.resize(kMostRows);
    row_of_.assign(tasks_.size(), kMostRows);
    for (std::size_t r = 0; r < rows_.size(); ++r) row_of_[rows_[r]] = r;
  }

  std::string run() {
    const bool whole_period = span_.count() == 0;
    if (whole_period) span_ = std::max(longest_, Time(1));
    Simulation simulation = simulated();
    if (whole_period && simulation.first_miss) {  // what is late is done after its period
      span_ += span_ / 2;
      simulation = simulated();
    }
    const double height = kTop + kRow * static_cast<double>(rows_.size()) + 60;
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n",
        kLeft + kWidth + 40, height, kLeft + kWidth + 40, height);
    out_ += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"10\" y=\"20\" font-size=\"15\">";
    out_ += "The critical instant: all are released at 0. " + std::string(word_of(schedule_.options.policy)) +
            (schedule_.schedulable ? ", every deadline is met" : ", NOT schedulable") + "</text>\n";
    axis();
    for (std::size_t r = 0; r < rows_.size(); ++r) row(r);
    for (const Simulation::Slice& slice : simulation.slices) bar(slice);
    out_ += "<text x=\"10\" y=\"" + std::to_string(static_cast<int>(height - 12)) +
            "\" fill=\"#555\">bar: runs; dark end: done; red: after its deadline; triangle: released by the clock";
    if (simulation.slices.size() >= kMostSlices) out_ += "; cut after 20000 bars";
    return out_ + "</text>\n</svg>\n";
  }

 private:
  Simulation simulated() const {
    SimulationLimits limits;
    limits.until = span_;
    limits.slices = kMostSlices;
    limits.jobs = 1'000'000;
    return simulate(tasks_, limits);
  }
  template<class... A>
  void put(const char* format, A... values) {
    char line[400];
    std::snprintf(line, sizeof line, format, values...);
    out_ += line;
  }
  double x(Time t) const {
    return kLeft + kWidth * static_cast<double>(t.count()) / static_cast<double>(span_.count());
  }
  static double y(std::size_t row) { return kTop + kRow * static_cast<double>(row); }

  // A line at each of up to ten round moments.
  void axis() {
    std::int64_t decade = 1, step = 1;
    for (int i = 0; span_.count() / step > 10; ++i) {
      decade *= i % 3 == 2 ? 10 : 1;
      step = decade * (i % 3 == 0 ? 2 : i % 3 == 1 ? 5 : 1);
    }
    const double bottom = y(rows_.size());
    for (Time t(0); t <= span_; t += Time(step)) {
      put("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x(t), kTop - 6, x(t), bottom);
      put("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#555\">", x(t), bottom + 16);
      out_ += time_text(t) + "</text>\n";
    }
  }

  void row(std::size_t r) {
    const Simulated& task = tasks_[rows_[r]];
    const Index info = infos_[rows_[r]];
    put("<text x=\"10\" y=\"%.1f\">", y(r) + 16);
    out_ += escaped_text(model_.infos()[info].entry_point);
    put("</text>\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"#555\">", kLeft - 8, y(r) + 16);
    out_ += "priority " + std::to_string(priority_of(schedule_, info)) + "</text>\n";
    put("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#bbb\"/>\n", kLeft, y(r) + kRow - 4,
        kLeft + kWidth, y(r) + kRow - 4);
    if (task.period.count() == 0) return;
    for (Time t(0); t < span_ && marks_ < kMostMarks; t += task.period, ++marks_)
      put("<path d=\"M%.1f %.1f l-3 -6 h6 z\" fill=\"#333\"/>\n", x(t), y(r) + 5);
  }

  void bar(const Simulation::Slice& slice) {
    const std::size_t r = row_of_[slice.task];
    if (r >= rows_.size() || slice.begin >= span_) return;
    const double from = x(slice.begin), to = x(std::min(slice.end, span_));
    put("<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\"/>\n", from, y(r) + 6,
        std::max(to - from, 0.5), kRow - 11, slice.late ? "#d33" : "#58c");
    if (slice.ends && slice.end <= span_)
      put("<line x1=\"%.2f\" y1=\"%.1f\" x2=\"%.2f\" y2=\"%.1f\" stroke=\"#124\" stroke-width=\"1.5\"/>\n", to,
          y(r) + 6, to, y(r) + kRow - 5);
  }

  const Model& model_;
  const Schedule& schedule_;
  Time span_, longest_{0};
  std::vector<Index> infos_;
  std::vector<Simulated> tasks_;
  std::vector<std::size_t> rows_, row_of_;
  std::size_t marks_ = 0;
  std::string out_;
};

}  // namespace

std::string svg_text(const Model& model, const Schedule& schedule, Time span) {
  return Picture(model, schedule, span).run();
}

}  // namespace callis::scheduling
