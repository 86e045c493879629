// SPDX-License-Identifier: Apache-2.0
// Messages with line, caret, notes and hints.
#include <idl/source/diagnostics.h>
#include <algorithm>
#include <tuple>

namespace callis::idl::source {

namespace {

constexpr std::size_t kMaxShown = 160;  // bytes of a source line

std::string_view severity_name(Severity s) {
  switch (s) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
  }
  return "error";
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

// The source line and the line with the caret under it. The text is the user's bytes: control
// characters must not reach a terminal.
void show_line(std::string& out, std::string_view line, const Range& where) {
  if (where.begin.column == 0 || where.begin.column > line.size() + 1) {
    return;
  }
  std::size_t first = where.begin.column - 1;
  if (line.size() > kMaxShown) {  // a window around the place
    const std::size_t cut = first > kMaxShown / 2 ? first - kMaxShown / 2 : 0;
    line = line.substr(cut, kMaxShown);
    first -= cut;
  }
  std::string marks;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    out += c == '\t' ? '\t' : is_control(c) ? '?' : c;
    if (i < first && !continues_character(c)) {
      marks += c == '\t' ? '\t' : ' ';
    } else if (i == first) {
      marks += '^';
    } else if (i > first && i < first + where.length && !continues_character(c)) {
      marks += '~';
    }
  }
  if (first >= line.size()) {
    marks += '^';
  }
  out += '\n';
  out += marks;
  out += '\n';
}

// "In file included from a.idl:3:" lines, outermost last.
void show_includers(std::string& out, const Files& files, FileId file) {
  for (int depth = 0; depth < 32; ++depth) {
    const Position at = files[file].included_at;
    if (!at.known()) {
      return;
    }
    out += depth == 0 ? "In file included from " : "                 from ";
    out += files[at.file].path + ":" + std::to_string(at.line) + ":\n";
    file = at.file;
  }
}

}  // namespace

void Diagnostics::error(const Range& where, std::string text) {
  ++errors_;
  dropped_last_ = errors_ > error_limit_;
  if (!dropped_last_) {
    reported_.push_back({Severity::Error, where, std::move(text)});
  }
}

void Diagnostics::warning(const Range& where, std::string text) {
  ++warnings_;
  dropped_last_ = exhausted() || warnings_ > error_limit_;
  if (!dropped_last_) {
    reported_.push_back({Severity::Warning, where, std::move(text)});
  }
}

void Diagnostics::note(const Range& where, std::string text) {
  if (!dropped_last_) {
    reported_.push_back({Severity::Note, where, std::move(text)});
  }
}

// The files in the order in which they were first reported on, and what concerns each in the order of its lines: the
// stages report one after the other. Notes stay behind what they belong to.
std::vector<const Diagnostic*> Diagnostics::in_order() const {
  struct Group {
    std::size_t file;  // its turn
    Position at;
    std::size_t begin, end;  // of reported_
  };
  std::vector<Group> groups;
  std::vector<FileId> files;
  for (std::size_t i = 0; i < reported_.size(); ++i) {
    if (reported_[i].severity == Severity::Note && !groups.empty()) {
      groups.back().end = i + 1;
      continue;
    }
    const Position& at = reported_[i].where.begin;
    const auto known = std::find(files.begin(), files.end(), at.file);
    const auto turn = static_cast<std::size_t>(known - files.begin());
    if (known == files.end()) {
      files.push_back(at.file);
    }
    groups.push_back({turn, at, i, i + 1});
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return std::tie(a.file, a.at.line, a.at.column) < std::tie(b.file, b.at.line, b.at.column);
  });
  std::vector<const Diagnostic*> out;
  for (const Group& g : groups) {
    for (std::size_t i = g.begin; i < g.end; ++i) {
      out.push_back(&reported_[i]);
    }
  }
  return out;
}

std::string Diagnostics::text() const {
  std::string out;
  FileId last_file = kNoFile;
  for (const Diagnostic* const each : in_order()) {
    const Diagnostic& d = *each;
    const Position& at = d.where.begin;
    if (at.known()) {
      if (at.file != last_file && d.severity != Severity::Note) {
        show_includers(out, files_, at.file);
        last_file = at.file;
      }
      out += files_[at.file].path;
      if (at.line != 0) {
        out += ':';
        out += std::to_string(at.line);
        if (at.column != 0) {
          out += ':';
          out += std::to_string(at.column);
        }
      }
    } else {
      out += "callis-idl";
    }
    out += ": ";
    out += severity_name(d.severity);
    out += ": ";
    for (const char c : d.text) {  // may quote the user's bytes
      out += is_control(c) ? '?' : c;
    }
    out += '\n';
    if (at.known() && at.line != 0) {
      show_line(out, files_[at.file].line(at.line), d.where);
    }
  }
  if (errors_ > error_limit_) {
    out += "callis-idl: error: too many errors (" + std::to_string(errors_) + "), the first " +
           std::to_string(error_limit_) + " are shown\n";
  }
  return out;
}

}  // namespace callis::idl::source
