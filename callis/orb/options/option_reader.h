// SPDX-License-Identifier: Apache-2.0
// Reads options from the places where they stand. Private to this library. The feature settings (option_settings.cpp)
// has files, the environment, other ORBs' names, and hints at misspelled names.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/options/option_names.h>
#include <callis/orb/options/option_values.h>
#include <cstring>

namespace callis::orb {

inline bool is_orb_option(const char* argument) { return std::strncmp(argument, "-ORB", 4) == 0; }

CALLIS_OPTIONAL std::string_view translated(FoundOption::Values from, std::string_view value, std::string& made);

// Reads the places where options stand, one after the other; later places count more. Functions that return bool
// return false after an error, and `wrong` then tells the error.
class Reader final {
 public:
  explicit Reader(OptionWatcher* watcher) : watcher_(watcher) {}

  Options options;
  std::string wrong;

  // The file and the environment.
  CALLIS_OPTIONAL bool read_settings(int argc, char** argv);
  bool read_arguments(int argc, char** argv);
  // Called after both. Gives published addresses to their endpoint, in whichever places the two stood.
  CALLIS_OPTIONAL bool settle_published();
  CALLIS_OPTIONAL void settle_spin();

 private:
  // written: the option's name as it stands there; name: the part that identifies the option.
  bool take(std::string_view written, std::string_view name, const char* value);
  bool take(std::string_view written, FoundOption found, std::string_view value);
  bool put(std::size_t option, std::string_view value);
  CALLIS_OPTIONAL bool publish(std::string_view text);
  CALLIS_OPTIONAL void replace_endpoints();
  bool read_file(const char* path);
  bool read_environment();
  bool read_line(std::string_view line);
  // Takes an option of AddedOptions. option: a number behind the table's options and kNoOption.
  bool take_added(std::string_view written, std::size_t option, std::string_view value);
  bool read_added_arguments(int argc, char** argv);
  bool read_added_environment();
  bool wrong_option(std::string_view why, std::string_view written);
  CALLIS_OPTIONAL bool unknown(std::string_view written, std::string_view name);
  bool unfit(std::string_view written, std::size_t option, const std::string_view* value);
  CALLIS_OPTIONAL void tell_what_fits(std::string_view written, std::size_t option, const std::string_view* value);
  CALLIS_OPTIONAL void tell_watcher(std::string_view written, std::size_t option, std::string_view value);
  CALLIS_OPTIONAL std::string place(std::string_view name) const;

  OptionWatcher* const watcher_;
  OptionSource source_ = OptionSource::None;
  OptionSource endpoints_from_ = OptionSource::None, published_from_ = OptionSource::None;
  std::vector<ior::Address> published_;  // for the first TCP endpoint
  const char* file_ = nullptr;
  unsigned line_ = 0;
};

}  // namespace callis::orb
