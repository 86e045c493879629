// SPDX-License-Identifier: Apache-2.0
// Counting of calls and bytes, and the file that tells of them.
#include <callis/base/log.h>
#include <callis/orb/base/abstract.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/core/profile.h>
#include <callis/value/link.h>
#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace callis::orb {

bool profiling = false;

namespace {

struct Count {
  std::uint64_t calls = 0, bytes = 0;
};

struct Operation : Count {
  const marshal::Unit* unit;
  marshal::Word op;
  std::vector<std::string> ids;
};

// Never destroyed: the last calls may come from threads that outlive main().
struct State {
  std::mutex mutex;
  std::string path;
  std::vector<Operation> operations;
};
State& state() {
  static State& s = *new State;
  return s;
}

void count(const marshal::Unit& unit, marshal::Word op, std::string_view id, const char* const* bases,
           std::uint64_t bytes) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto same = [&](const Operation& o) {
    return o.unit == &unit && o.op == op && (o.ids.empty() ? id.empty() : o.ids.front() == id);
  };
  auto found = std::find_if(s.operations.begin(), s.operations.end(), same);
  if (found == s.operations.end()) {
    Operation o{{}, &unit, op, {}};
    if (!id.empty()) o.ids.emplace_back(id);
    for (; bases && *bases; ++bases) o.ids.emplace_back(*bases);
    found = s.operations.insert(s.operations.end(), std::move(o));
  }
  ++found->calls;
  found->bytes += bytes;
}

// ---- types by structure ----

constexpr std::size_t kLongestType = 240;

class TypeSpelling {
 public:
  explicit TypeSpelling(const marshal::Unit& unit) : unit_(unit) {}
  std::string of(marshal::Word type) {
    spell(type);
    if (text_.size() > kLongestType) text_.replace(kLongestType, std::string::npos, "...");
    return std::move(text_);
  }

 private:
  void spell(marshal::Word type);
  void entry(marshal::Word at);
  void bounded(const char* name, marshal::Word n) {
    text_ += name;
    if (n) text_ += '<' + std::to_string(n) + '>';
  }

  template <class Link>
  void linked(const char* root, marshal::Word link) {
    const void* const l = link == marshal::kNoLink ? nullptr : unit_.links[link];
    text_ += l ? static_cast<const Link*>(l)->repository_id : root;
  }
  // A struct or union, unless it is around itself: which of them it is then, counted from the innermost.
  bool opens(marshal::Word at);
  void members(const marshal::Word* types, marshal::Word n);

  const marshal::Unit& unit_;
  std::string text_;
  std::vector<marshal::Word> open_;  // structs and unions around
};

void TypeSpelling::spell(marshal::Word type) {
  static constexpr const char* kPrimitives[] = {
      "void", "boolean", "octet", "char", "short", "unsigned_short", "long", "unsigned_long", "long_long",
      "unsigned_long_long", "float", "double", "long_double"};
  using marshal::Kind;
  if (text_.size() > kLongestType) return;
  const marshal::Word payload = marshal::payload_of(type);
  switch (const Kind k = marshal::kind_of(type)) {
    case Kind::Enum: return bounded("enum", payload);
    case Kind::String: return bounded("string", payload);
    case Kind::ObjRef: return linked<InterfaceLink>("Object", payload);
    case Kind::WChar: text_ += "wchar"; return;
    case Kind::WString: return bounded("wstring", payload);
    case Kind::Fixed:
      text_ += "fixed<" + std::to_string(payload & 0xff) + ',' + std::to_string(payload >> 8) + '>';
      return;
    case Kind::Any: text_ += "any"; return;
    case Kind::TypeCode: text_ += "TypeCode"; return;
    case Kind::Abstract: return linked<AbstractLink>("AbstractBase", payload);
    case Kind::Value: return linked<value::ValueLink>("ValueBase", payload);
    case Kind::Ref: return entry(payload);
    default: text_ += k <= Kind::LongDouble ? kPrimitives[static_cast<std::size_t>(k)] : "?";
  }
}

bool TypeSpelling::opens(marshal::Word at) {
  const auto around = std::find(open_.rbegin(), open_.rend(), at);
  if (around != open_.rend()) {
    text_ += '^' + std::to_string(around - open_.rbegin());
    return false;
  }
  open_.push_back(at);
  return true;
}

void TypeSpelling::members(const marshal::Word* types, marshal::Word n) {
  text_ += '{';
  for (marshal::Word i = 0; i < n; ++i) {
    if (i) text_ += ',';
    spell(types[i]);
  }
  text_ += '}';
}

void TypeSpelling::entry(marshal::Word at) {
  using marshal::Kind;
  const marshal::Word* e = unit_.words + at;
  switch (marshal::kind_of(e[0])) {
    case Kind::String: return bounded("string", e[1]);
    case Kind::WString: return bounded("wstring", e[1]);
    case Kind::Sequence:
    case Kind::Array: {
      const bool array = marshal::kind_of(e[0]) == Kind::Array;
      if (!array) text_ += "sequence<";
      spell(e[2]);
      if (array) text_ += '[' + std::to_string(e[1]) + ']';
      else text_ += e[1] ? ',' + std::to_string(e[1]) + '>' : ">";
      return;
    }
    case Kind::Struct: {
      if (!opens(at)) return;
      text_ += "struct";
      members(e + 1, marshal::payload_of(e[0]));
      open_.pop_back();
      return;
    }
    case Kind::Union: {
      if (!opens(at)) return;
      text_ += "union<";
      spell(e[1]);
      text_ += '>';
      members(e + 4, marshal::payload_of(e[0]));
      open_.pop_back();
      return;
    }
    default: text_ += '?';
  }
}

// The types of an operation's parameters and result, each once.
std::vector<std::string> types_of(const Operation& o) {
  std::vector<std::string> types;
  const marshal::OperationView view(*o.unit, o.op);
  if (view.compiled()) return types;
  for (marshal::Word i = 0; i <= view.parameter_count(); ++i) {
    const marshal::Word type = i ? view.parameter(i - 1) : view.result();
    if (marshal::kind_of(type) == marshal::Kind::Void) continue;
    std::string text = TypeSpelling(*o.unit).of(type);
    if (std::find(types.begin(), types.end(), text) == types.end()) types.push_back(std::move(text));
  }
  return types;
}

// ---- the file ----

struct Line : Count {
  std::string text;
};

void add(std::vector<Line>& lines, const Count& c, const std::string& text) {
  auto found = std::find_if(lines.begin(), lines.end(), [&text](const Line& l) { return l.text == text; });
  if (found == lines.end()) found = lines.insert(lines.end(), {{}, text});
  found->calls += c.calls;
  found->bytes += c.bytes;
}

std::string encoded(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c > ' ' && c <= '~' && c != '%') {
      out += c;
    } else {
      out += {'%', kDigits[u >> 4], kDigits[u & 15]};
    }
  }
  return out;
}

void print(std::string& out, const char* kind, std::vector<Line>& lines) {
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.text < b.text;
  });
  for (const Line& l : lines)
    out += kind + std::to_string(l.calls) + ' ' + std::to_string(l.bytes) + ' ' + l.text + '\n';
}

std::string text_of(const State& s) {
  std::vector<Line> operations, types;
  for (const Operation& o : s.operations) {
    const marshal::OperationView view(*o.unit, o.op);
    std::string text = encoded({view.name(), view.name_length()});
    for (const std::string& id : o.ids) text += ' ' + encoded(id);
    add(operations, o, text);
    for (const std::string& type : types_of(o)) add(types, o, type);
  }
  std::string out = "callis-profile 1\n";
  print(out, "op ", operations);
  print(out, "type ", types);
  return out;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void write_file(const std::string& path, std::string_view text) {
  const std::string fresh = path + ".new" + std::to_string(::getpid());
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = file >= 0 && write_all(file, text);
  if (file >= 0) good = ::close(file) == 0 && good;
  good = good && std::rename(fresh.c_str(), path.c_str()) == 0;
  if (good) return;
  log(LogLevel::Error, "cannot write the profile '" + path + "': " + std::strerror(errno));
  if (file >= 0) ::unlink(fresh.c_str());
}

// From the environment, before main().
const bool started = [] {
  const char* path = std::getenv("CALLIS_PROFILE");
  if (!path || !*path) return false;
  set_profile_path(path);
  return std::atexit([] { write_profile(); }) == 0;
}();

// The arguments and results of a call on their way.
class ProfiledBody final : public CallBody {
 public:
  explicit ProfiledBody(CallBody& inner) : inner_(inner) {}
  void encode(cdr::Encoder& to) override {
    const std::size_t from = to.position() + to.gathered();
    inner_.encode(to);
    request_bytes_ = to.position() + to.gathered() - from;
  }
  void decode(cdr::Decoder& from) override {
    reply_bytes_ = from.remaining();
    inner_.decode(from);
  }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& from) override {
    reply_bytes_ = from.remaining();
    return inner_.decode_exception(id, from);
  }
  const marshal::OperationPlans* plans() const override { return inner_.plans(); }
  std::size_t bytes() const { return request_bytes_ + reply_bytes_; }

 private:
  CallBody& inner_;
  std::size_t request_bytes_ = 0, reply_bytes_ = 0;
};

}  // namespace

void profiled_call(Reference& target, const CallOperation& operation, CallBody& body, const marshal::Unit& unit,
                   marshal::Word op) {
  struct Counted {
    ProfiledBody body;
    Reference& target;
    const marshal::Unit& unit;
    marshal::Word op;
    ~Counted() {
      try {
        count(unit, op, target.ior().type_id, nullptr, body.bytes());
      } catch (...) {  // no memory: this call is not counted
      }
    }
  } counted{ProfiledBody(body), target, unit, op};
  call(target, operation, counted.body);
}

ProfiledRequest::ProfiledRequest(ServerRequest& inner, const marshal::Unit& unit, marshal::Word op,
                                 const char* const* ids)
    : RequestBefore(inner), unit_(unit), op_(op), ids_(ids), request_bytes_(inner.arguments().remaining()) {}

ProfiledRequest::~ProfiledRequest() {
  const std::size_t reply_bytes = reply_ ? reply_->position() + reply_->gathered() - reply_from_ : 0;
  try {
    count(unit_, op_, *ids_, ids_ + 1, request_bytes_ + reply_bytes);
  } catch (...) {  // no memory: this call is not counted
  }
}

cdr::Encoder& ProfiledRequest::begun(cdr::Encoder& e) {
  reply_ = &e;
  reply_from_ = e.position() + e.gathered();
  return e;
}

void ProfiledRequest::system_exception(const CORBA::SystemException& e) {
  reply_ = nullptr;
  inner_.system_exception(e);
}

void ProfiledRequest::location_forward(const ior::Ior& to) {
  reply_ = nullptr;
  inner_.location_forward(to);
}

std::string profile_text() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  return text_of(s);
}

void write_profile() noexcept {
  if (!profiling) return;
  try {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    write_file(s.path, text_of(s));
  } catch (...) {
    log(LogLevel::Error, "no memory to write the profile");
  }
}

void set_profile_path(const std::string& path) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.operations.clear();
  s.path = path;
  if (const std::size_t at = s.path.find("%p"); at != std::string::npos)
    s.path.replace(at, 2, std::to_string(::getpid()));
  profiling = !path.empty();
}

}  // namespace callis::orb
