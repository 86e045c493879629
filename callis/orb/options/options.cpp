// SPDX-License-Identifier: Apache-2.0
// The reading of options from all places, in their order.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/giop/fragment.h>
#include <callis/ior/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/orb_features.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/options/option_reader.h>
#include <callis/orb/options/transport.h>
#include <array>

namespace callis::orb {
namespace {

// The entries of the table in few bytes: many options have the same bounds.
struct Bounds {
  std::uint32_t least, most;
  bool or_zero;
  constexpr bool operator==(const Bounds&) const = default;
};
struct PackedEntry {
  std::uint16_t field;
  std::uint8_t bounds;
  OptionKind kind;
  std::uint8_t bytes;
};
struct PackedEntries {
  std::array<PackedEntry, kOptions> entries{};
  std::array<Bounds, kOptions> bounds{};
  std::size_t different = 0;
};
consteval PackedEntries pack() {
  PackedEntries all;
  for (std::size_t i = 0; i < kOptions; ++i) {
    const OptionEntry e = option_entry(kOptionList[i]);
    const Bounds b{e.least, e.most, e.or_zero};
    std::size_t at = 0;
    while (at < all.different && all.bounds[at] != b) ++at;
    if (at == all.different) all.bounds[all.different++] = b;
    all.entries[i] = {e.field, static_cast<std::uint8_t>(at), e.kind, e.bytes};
  }
  return all;
}
constexpr auto kEntries = pack().entries;
constexpr auto kBounds = [] {
  std::array<Bounds, pack().different> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] = pack().bounds[i];
  return bounds;
}();
static_assert(kBounds.size() <= UINT8_MAX);

OptionEntry entry(std::size_t option) {
  const PackedEntry& e = kEntries[option];
  const Bounds& b = kBounds[e.bounds];
  return {b.least, b.most, e.field, e.kind, e.bytes, b.or_zero};
}

// The words of each choice; the forms of other values are in programs with the feature settings alone.
consteval auto choices() {
  std::array<const char*, kOptions> all{};
  for (std::size_t i = 0; i < kOptions; ++i)
    all[i] = kOptionList[i].kind == OptionKind::Choice ? kOptionList[i].wants : nullptr;
  return all;
}
constexpr auto kChoices = choices();

std::string_view words_of(std::size_t option) {
  return kChoices[option] ? std::string_view(kChoices[option]) : std::string_view();
}

// The feature that these options need and the program was linked without.
const char* missing_feature(const Options& o) {
  if (o.server_threads != ServerThreads::Connection && !CALLIS_HAS(pool)) return "pool";
  if ((o.share_connections || o.max_connections_per_server != 0) && !CALLIS_HAS(sharing)) return "sharing";
  if (!o.default_initial_reference.empty() && !CALLIS_HAS(urls)) return "urls";
  if (o.collocation == Collocation::Direct && !CALLIS_HAS(collocation)) return "collocation";
  if ((o.char_code_set != CharCodeSet::Latin1 || o.wchar_code_set != WcharCodeSet::Utf16) && !CALLIS_HAS(code_sets))
    return "code_sets";
  if (o.log_level < static_cast<std::uint8_t>(LogLevel::Warning) && !CALLIS_HAS(call_log)) return "call_log";
  if (o.fragment_bytes != 0 && !CALLIS_HAS(fragments)) return "fragments";
  for (const EndpointOption& e : o.endpoints)
    if (!e.address.transport) return feature_for(e.address.place);
  return nullptr;
}

}  // namespace

// value: nullptr for none.
bool Reader::unfit(std::string_view written, std::size_t option, const std::string_view* value) {
  if (!CALLIS_HAS(settings)) {
    const char* const form = kEntries[option].kind == OptionKind::Number ? "a number" : "another value";
    wrong = concat({written, " wants ", kChoices[option] ? kChoices[option] : form});
    return false;
  }
  tell_what_fits(written, option, value);
  return false;
}

bool Reader::put(std::size_t option, std::string_view value) {
  switch (kEntries[option].kind) {
    case OptionKind::Endpoint:
      if (endpoints_from_ != source_ && CALLIS_HAS(settings)) replace_endpoints();
      endpoints_from_ = source_;
      return add_endpoints(options, value);
    case OptionKind::Publish: return CALLIS_HAS(settings) && publish(value);
    case OptionKind::InitRef: return CALLIS_HAS(settings) && set_initial_reference(options, value);
    case OptionKind::ForwardTo: return CALLIS_HAS(forward_lists) && parse_forward_list(value, options.forward_to);
    case OptionKind::ConfigFile:
      return source_ != OptionSource::File && CALLIS_HAS(settings);  // a file names no other
    default: return put_value(&options, entry(option), words_of(option), value);
  }
}

bool Reader::wrong_option(std::string_view why, std::string_view written) {
  wrong = concat({why, written});
  return false;
}

bool Reader::take(std::string_view written, FoundOption found, std::string_view value) {
  std::string made;
  const std::string_view fit =
      found.values == FoundOption::Values::Same ? value : translated(found.values, value, made);
  if (!put(found.option, fit)) {
    const OptionKind kind = kEntries[found.option].kind;
    if (!CALLIS_HAS(settings) && kind > OptionKind::Endpoint)
      return wrong_option(without_feature("settings").detail, {});
    return unfit(written, found.option, &value);
  }
  if (watcher_) tell_watcher(written, found.option, fit);
  return true;
}

bool Reader::take(std::string_view written, std::string_view name, const char* value) {
  const FoundOption found = find_option(name);
  if (found.option == kNoOption)
    return CALLIS_HAS(settings) ? unknown(written, name) : wrong_option("unknown option ", written);
  if (!value) return unfit(written, found.option, nullptr);
  return take(written, found, std::string_view(value));
}

bool Reader::read_arguments(int argc, char** argv) {
  source_ = OptionSource::CommandLine;
  for (int i = 1; i < argc; ++i) {
    if (!is_orb_option(argv[i])) continue;
    if (!take(argv[i], argv[i] + 4, i + 1 < argc ? argv[i + 1] : nullptr)) return false;
    ++i;
  }
  return true;
}

Result<Options> parse_options(int& argc, char** argv, OptionWatcher* watcher) {
  Reader reader(watcher);
  if ((CALLIS_HAS(settings) && !reader.read_settings(argc, argv)) || !reader.read_arguments(argc, argv) ||
      (CALLIS_HAS(settings) && !reader.settle_published()))
    return Error{Fault::BadText, 0, std::move(reader.wrong)};
  if (CALLIS_HAS(settings)) reader.settle_spin();
  if (const char* const missing = missing_feature(reader.options)) return without_feature(missing);
  Limits& limits = reader.options.limits;
  if (limits.initial_message_bytes > limits.max_message_bytes)
    limits.initial_message_bytes = limits.max_message_bytes;
  int kept = argc > 0 ? 1 : 0;
  for (int i = 1; i < argc; ++i) {
    if (is_orb_option(argv[i])) ++i;
    else argv[kept++] = argv[i];
  }
  if (argv && kept < argc) argv[kept] = nullptr;
  argc = kept;
  return std::move(reader.options);
}

}  // namespace callis::orb
