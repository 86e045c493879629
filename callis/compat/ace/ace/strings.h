// SPDX-License-Identifier: Apache-2.0
// ACE_CString, and the pointers that free what they hold.
#pragma once
#include <ace/base.h>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

// length() and positions are ACE's; npos is the largest size_t.
class ACE_CString {
 public:
  using size_type = std::size_t;
  static constexpr size_type npos = std::string::npos;

  ACE_CString() = default;
  ACE_CString(const char* s) : text_(s ? s : "") {}
  ACE_CString(const char* s, size_type n) : text_(s, n) {}
  ACE_CString(const std::string& s) : text_(s) {}
  explicit ACE_CString(char c) : text_(1, c) {}
  ACE_CString(size_type n, char c) : text_(n, c) {}

  const char* c_str() const { return text_.c_str(); }
  const char* fast_rep() const { return text_.c_str(); }
  // By new[], for the caller.
  char* rep() const {
    char* const copy = new char[text_.size() + 1];
    return std::memcpy(copy, text_.c_str(), text_.size() + 1), copy;
  }
  size_type length() const { return text_.size(); }
  bool empty() const { return text_.empty(); }
  bool is_empty() const { return text_.empty(); }
  void clear() { text_.clear(); }
  void set(const char* s) { text_ = s ? s : ""; }
  char operator[](size_type i) const { return text_[i]; }
  char& operator[](size_type i) { return text_[i]; }
  ACE_CString& operator+=(const ACE_CString& s) { return text_ += s.text_, *this; }
  ACE_CString& operator+=(const char* s) { return text_ += s ? s : "", *this; }
  ACE_CString& operator+=(char c) { return text_ += c, *this; }
  ACE_CString& append(const char* s, size_type n) { return text_.append(s, n), *this; }
  size_type find(const ACE_CString& s, size_type from = 0) const { return text_.find(s.text_, from); }
  size_type find(const char* s, size_type from = 0) const { return text_.find(s, from); }
  size_type find(char c, size_type from = 0) const { return text_.find(c, from); }
  size_type rfind(char c, size_type from = npos) const { return text_.rfind(c, from); }
  ACE_CString substr(size_type from, size_type n = npos) const {
    return from > text_.size() ? ACE_CString() : ACE_CString(text_.substr(from, n));
  }
  ACE_CString substring(size_type from, size_type n = npos) const { return substr(from, n); }
  int compare(const ACE_CString& s) const { return text_.compare(s.text_); }
  unsigned long hash() const { return std::hash<std::string>()(text_); }
  friend bool operator==(const ACE_CString&, const ACE_CString&) = default;
  friend auto operator<=>(const ACE_CString&, const ACE_CString&) = default;
  friend ACE_CString operator+(ACE_CString a, const ACE_CString& b) { return a += b; }
  friend std::ostream& operator<<(std::ostream& to, const ACE_CString& s) { return to << s.text_; }

 private:
  std::string text_;
};
using ACE_TString = ACE_CString;

namespace ACE {
inline char* strnew(const char* s) { return s ? ACE_CString(s).rep() : nullptr; }
inline void strdelete(char* s) { delete[] s; }
inline const char* basename(const char* path, char slash = '/') {
  const char* const last = std::strrchr(path, slash);
  return last ? last + 1 : path;
}
}  // namespace ACE

template <class X, class Delete = std::default_delete<X>>
class ACE_Auto_Basic_Ptr {
  using T = std::remove_extent_t<X>;

 public:
  explicit ACE_Auto_Basic_Ptr(T* p = nullptr) : p_(p) {}
  ACE_Auto_Basic_Ptr(ACE_Auto_Basic_Ptr& o) : p_(o.release()) {}
  ACE_Auto_Basic_Ptr& operator=(ACE_Auto_Basic_Ptr& o) { return reset(o.release()), *this; }
  ~ACE_Auto_Basic_Ptr() { reset(); }
  T& operator*() const { return *p_; }
  T* operator->() const { return p_; }
  T& operator[](std::ptrdiff_t i) const { return p_[i]; }
  T* get() const { return p_; }
  T* release() { return std::exchange(p_, nullptr); }
  void reset(T* p = nullptr) {
    if (p != p_) Delete()(std::exchange(p_, p));
  }

 private:
  T* p_;
};
template <class X>
using ACE_Auto_Ptr = ACE_Auto_Basic_Ptr<X>;
template <class X>
using ACE_Auto_Basic_Array_Ptr = ACE_Auto_Basic_Ptr<X[]>;
template <class X>
using ACE_Auto_Array_Ptr = ACE_Auto_Basic_Ptr<X[]>;
template <class X, class P>
void ACE_auto_ptr_reset(ACE_Auto_Basic_Ptr<X>& to, P* p) {
  to.reset(p);
}
