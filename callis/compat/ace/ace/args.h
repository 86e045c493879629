// SPDX-License-Identifier: Apache-2.0
// ACE_Arg_Shifter, by which a part of a program takes its own words out of a command line; ACE_ARGV, a command line
// made of a text.
#pragma once
#include <ace/base.h>
#include <strings.h>
#include <cstring>
#include <string>
#include <vector>

// Words that are ignored stay in front, in their order; consumed words go behind them, and argc becomes less.
class ACE_Arg_Shifter {
 public:
  ACE_Arg_Shifter(int& argc, const ACE_TCHAR** argv, const ACE_TCHAR** = nullptr)
      : argc_(argc), argv_(const_cast<ACE_TCHAR**>(argv)), all_(argv_, argv_ + argc) {}
  ACE_Arg_Shifter(int& argc, ACE_TCHAR** argv, ACE_TCHAR** = nullptr)
      : argc_(argc), argv_(argv), all_(argv, argv + argc) {}
  ~ACE_Arg_Shifter() {
    while (at_ < all_.size()) ignore_arg();
    std::vector<ACE_TCHAR*> order = kept_;
    order.insert(order.end(), consumed_.begin(), consumed_.end());
    for (std::size_t i = 0; i < order.size(); ++i) argv_[i] = order[i];
    argc_ = static_cast<int>(kept_.size());
  }
  ACE_Arg_Shifter(const ACE_Arg_Shifter&) = delete;
  ACE_Arg_Shifter& operator=(const ACE_Arg_Shifter&) = delete;

  const ACE_TCHAR* get_current() const { return at_ < all_.size() ? all_[at_] : nullptr; }
  // The value behind the flag, in the same word or the next, which becomes the current one; nullptr: another flag.
  const ACE_TCHAR* get_the_parameter(const ACE_TCHAR* flag) {
    const int behind = cur_arg_strncasecmp(flag);
    if (behind == -1) return nullptr;
    if (behind > 0) return all_[at_] + behind;
    consume_arg();
    return is_parameter_next() ? get_current() : nullptr;
  }
  // -1: another word; 0: the flag alone; else where the value begins in the word.
  int cur_arg_strncasecmp(const ACE_TCHAR* flag) const {
    if (at_ >= all_.size()) return -1;
    const std::size_t size = std::strlen(flag);
    const ACE_TCHAR* const word = all_[at_];
    if (::strncasecmp(word, flag, size) != 0) return -1;
    if (word[size] == '\0') return 0;
    return static_cast<int>(size + std::strspn(word + size, " "));
  }
  int consume_arg(int n = 1) { return shift(n, consumed_); }
  int ignore_arg(int n = 1) { return shift(n, kept_); }
  int is_anything_left() const { return at_ < all_.size(); }
  int is_option_next() const { return is_anything_left() && all_[at_][0] == '-'; }
  int is_parameter_next() const { return is_anything_left() && all_[at_][0] != '-'; }
  int num_ignored_args() const { return static_cast<int>(kept_.size()); }

 private:
  int shift(int n, std::vector<ACE_TCHAR*>& to) {
    if (static_cast<std::size_t>(n) > all_.size() - at_) return 0;
    for (int i = 0; i < n; ++i) to.push_back(all_[at_++]);
    return n;
  }

  int& argc_;
  ACE_TCHAR** const argv_;
  const std::vector<ACE_TCHAR*> all_;
  std::vector<ACE_TCHAR*> kept_, consumed_;
  std::size_t at_ = 0;
};

// Words of a text, at blanks; quotes of both kinds hold a word together. Variables of the environment are not put in.
class ACE_ARGV {
 public:
  explicit ACE_ARGV(const ACE_TCHAR* text = "", bool = true) { add(text); }
  int add(const ACE_TCHAR* text, bool = false) {
    for (const ACE_TCHAR* at = text; *at;) {
      if (*at == ' ' || *at == '\t') {
        ++at;
        continue;
      }
      std::string word;
      while (*at && *at != ' ' && *at != '\t') {
        if (*at == '"' || *at == '\'') {
          const ACE_TCHAR quote = *at++;
          while (*at && *at != quote) word += *at++;
          if (*at) ++at;
        } else {
          word += *at++;
        }
      }
      words_.push_back(std::move(word));
    }
    return 0;
  }
  int argc() const { return static_cast<int>(words_.size()); }
  ACE_TCHAR** argv() {
    pointers_.clear();
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
    return pointers_.data();
  }
  const ACE_TCHAR* operator[](std::size_t i) const { return i < words_.size() ? words_[i].c_str() : nullptr; }

 private:
  std::vector<std::string> words_;
  std::vector<ACE_TCHAR*> pointers_;
};
