// SPDX-License-Identifier: Apache-2.0
// Included before every source of the preset minsize. In C++20 libstdc++ no longer says that std::string is
// instantiated in the library, though it is, so every object file gets copies of its members. This says it of
// the large ones. (Not of the whole class: what C++20 added to it is not in the library.)
#pragma once
#ifdef __cplusplus
#include <string>
#if defined(__GLIBCXX__) && _GLIBCXX_USE_CXX11_ABI
namespace std {
extern template string::basic_string(const string&);
extern template string& string::operator=(const string&);
extern template string& string::operator=(string&&);
extern template string& string::append(const char*, size_t);
extern template string& string::append(const char*);
extern template string& string::assign(const char*, size_t);
extern template string& string::_M_append(const char*, size_t);
extern template string& string::_M_replace(size_t, size_t, const char*, size_t);
extern template string& string::_M_replace_aux(size_t, size_t, size_t, char);
extern template string& string::replace(size_t, size_t, const char*, size_t);
extern template char* string::_M_create(size_t&, size_t);
extern template void string::_M_assign(const string&);
extern template void string::_M_construct(size_t, char);
extern template void string::_M_mutate(size_t, size_t, const char*, size_t);
extern template void string::_M_erase(size_t, size_t);
extern template void string::_M_dispose();
extern template void string::push_back(char);
extern template void string::reserve(size_t);
extern template void string::resize(size_t, char);
extern template int string::compare(const char*) const;
extern template size_t string::find(char, size_t) const noexcept;
extern template size_t string::find(const char*, size_t, size_t) const noexcept;
}  // namespace std
#endif
#endif
