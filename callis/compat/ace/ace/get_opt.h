// SPDX-License-Identifier: Apache-2.0
// ACE_Get_Opt: the options of a command line, by letters as getopt() has them, and by words.
#pragma once
#include <ace/base.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

class ACE_Get_Opt {
 public:
  enum { REQUIRE_ORDER = 1, PERMUTE_ARGS = 2, RETURN_IN_ORDER = 3 };
  enum OPTION_ARG_MODE { NO_ARG = 0, ARG_REQUIRED = 1, ARG_OPTIONAL = 2 };

  // letters: "ab:c::" - a has no argument, b has one, c may have one behind it. '+' or '-' in front: the two other
  // orders; ':' in front: a missing argument is reported as ':'.
  ACE_Get_Opt(int argc, ACE_TCHAR** argv, const ACE_TCHAR* letters = "", int skip_args = 1, int report_errors = 0,
              int ordering = PERMUTE_ARGS, int long_only = 0)
      : argc_(argc), argv_(argv), at_(std::min(skip_args, argc)), report_(report_errors != 0), order_(ordering),
        long_only_(long_only != 0) {
    for (; *letters == '+' || *letters == '-' || *letters == ':'; ++letters) {
      if (*letters == ':') colon_ = true;
      else order_ = *letters == '+' ? REQUIRE_ORDER : RETURN_IN_ORDER;
    }
    letters_ = letters;
    end_ = argc_;
  }

  int long_option(const ACE_TCHAR* name, OPTION_ARG_MODE mode = NO_ARG) { return long_option(name, 0, mode); }
  int long_option(const ACE_TCHAR* name, int letter, OPTION_ARG_MODE mode = NO_ARG) {
    long_.push_back({name, letter, mode});
    return 0;
  }

  // Returns the next option's letter. Other results: 0 for a word without a letter, which long_option() tells; 1 for
  // a word that is no option, with RETURN_IN_ORDER; '?' for an unknown option. EOF is the end: opt_ind() is the
  // first other word then.
  int operator()() {
    arg_ = nullptr;
    word_ = "";
    if (next_ && *next_) return letter();
    next_ = nullptr;
    if (order_ == PERMUTE_ARGS)  // other words go behind all that are left
      while (at_ < end_ && !is_option(argv_[at_])) {
        std::rotate(argv_ + at_, argv_ + at_ + 1, argv_ + argc_);
        --end_;
      }
    if (at_ >= end_) return EOF;
    ACE_TCHAR* const word = argv_[at_];
    if (std::strcmp(word, "--") == 0) {
      if (order_ == PERMUTE_ARGS) std::rotate(argv_ + at_ + 1, argv_ + end_, argv_ + argc_);
      ++at_;
      end_ = at_;
      return EOF;
    }
    if (!is_option(word)) {
      if (order_ == REQUIRE_ORDER) return EOF;
      arg_ = word;
      ++at_;
      return 1;
    }
    last_ = word;
    if (word[1] == '-' || (long_only_ && find(word + 1))) return whole_word(word + (word[1] == '-' ? 2 : 1));
    next_ = word + 1;
    ++at_;
    return letter();
  }

  ACE_TCHAR* opt_arg() const { return arg_; }
  int opt_opt() const { return opt_; }
  int& opt_ind() { return at_; }
  const ACE_TCHAR* long_option() const { return word_.empty() ? nullptr : word_.c_str(); }
  const ACE_TCHAR* last_option() const { return last_.c_str(); }
  int argc() const { return argc_; }
  ACE_TCHAR** argv() const { return argv_; }

 private:
  struct Word {
    std::string name;
    int letter;
    OPTION_ARG_MODE mode;
  };

  static bool is_option(const ACE_TCHAR* word) { return word[0] == '-' && word[1] != '\0'; }

  const Word* find(const ACE_TCHAR* word) const {
    const std::size_t size = std::strcspn(word, "=");
    const Word* begins = nullptr;
    for (const Word& w : long_) {
      if (w.name.compare(0, w.name.npos, word, size) == 0) return &w;
      if (w.name.compare(0, size, word, size) == 0) begins = &w;
    }
    return begins;
  }

  int wrong(const char* what, const ACE_TCHAR* option) {
    if (report_) std::fprintf(stderr, "%s: %s -- %s\n", argv_[0], what, option);
    return '?';
  }

  int whole_word(ACE_TCHAR* word) {
    ++at_;
    const Word* const w = find(word);
    if (!w) return wrong("illegal long option", word);
    word_ = w->name;
    opt_ = w->letter;
    ACE_TCHAR* const equals = std::strchr(word, '=');
    if (equals && w->mode == NO_ARG) return wrong("long option doesn't allow an argument", word);
    arg_ = equals ? equals + 1 : nullptr;
    if (!equals && w->mode == ARG_REQUIRED) {
      if (at_ >= end_) return wrong("long option requires an argument", word), colon_ ? ':' : '?';
      arg_ = argv_[at_++];
    }
    return w->letter;
  }

  int letter() {
    const ACE_TCHAR c = *next_++;
    opt_ = c;
    const ACE_TCHAR text[] = {c, '\0'};
    const char* const known = c == ':' || c == ';' ? nullptr : std::strchr(letters_.c_str(), c);
    if (!known) return wrong("illegal short option", text);
    if (known[1] != ':') return c;
    if (*next_) arg_ = next_;
    if (!arg_ && known[2] != ':') {
      if (at_ >= end_) return wrong("short option requires an argument", text), colon_ ? ':' : '?';
      arg_ = argv_[at_++];
    }
    next_ = nullptr;
    return c;
  }

  int argc_;
  ACE_TCHAR** argv_;
  int at_, end_;
  bool report_, colon_ = false;
  int order_;
  bool long_only_;
  std::string letters_, word_, last_;
  std::vector<Word> long_;
  ACE_TCHAR* next_ = nullptr;
  ACE_TCHAR* arg_ = nullptr;
  int opt_ = 0;
};
