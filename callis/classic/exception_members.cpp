// SPDX-License-Identifier: Apache-2.0
#include <callis/base/keep_loaded.h>
#include <callis/classic/explanations.h>
#include <callis/marshal/values.h>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>

CALLIS_PROVIDE(exception_members);

namespace callis::classic {
namespace {

struct Type {
  const marshal::Unit* unit;
  marshal::Word entry;
};

// By the class, as two files may describe exceptions of one repository id differently. Never destroyed: exceptions
// may be asked when the process ends.
struct Types {
  std::mutex mutex;
  std::map<std::type_index, Type> by_class;
};
Types& types() {
  static Types* const t = new Types;
  return *t;
}

// Where the texts of a thread stand: a text is valid until the thread has asked for as many others. On the heap:
// memory of threads is scarce where a program loads callis as a plugin.
constexpr std::size_t kRoom = 1024, kRooms = 4;
struct Rooms {
  char text[kRooms][kRoom];
  unsigned next = 0;
};
thread_local std::unique_ptr<Rooms> rooms;

char* next_room() {
  if (!rooms) rooms = std::make_unique<Rooms>();
  return rooms->text[rooms->next++ % kRooms];
}

}  // namespace

void note_members(const CORBA::UserException& e, const marshal::Unit& unit, marshal::Word entry) noexcept {
  try {
    Types& all = types();
    {
      const std::lock_guard lock(all.mutex);
      if (all.by_class.contains(typeid(e))) return;
    }
    // Where an operation is compiled nothing else has said so. Without the lock: the loader has one of its own.
    if (CALLIS_HAS(plugins)) {
      keep_loaded(unit.words);
      keep_loaded(&typeid(e));
    }
    const std::lock_guard lock(all.mutex);
    all.by_class.try_emplace(typeid(e), Type{&unit, entry});
  } catch (...) {  // no memory: their what() is the repository id
  }
}

const char* text_of_user_exception(const CORBA::Exception& e) noexcept {
  try {
    Type type{};
    {
      Types& all = types();
      const std::lock_guard lock(all.mutex);
      const auto found = all.by_class.find(typeid(e));
      if (found == all.by_class.end()) return e._rep_id();
      type = found->second;
    }
    char* const room = next_room();
    const int n = std::snprintf(room, kRoom, "%s ", e._rep_id());
    const auto used = static_cast<std::size_t>(n);
    if (n < 0 || used >= kRoom) return e._rep_id();
    const std::span<char> rest(room + used, kRoom - used);
    const marshal::Word word = marshal::type_word(marshal::Kind::Ref, type.entry);
    const std::size_t members = marshal::print(*type.unit, word, dynamic_cast<const void*>(&e), rest);
    if (std::string_view(rest.data(), members) == "{}") room[used - 1] = 0;
    return room;
  } catch (...) {
    return e._rep_id();
  }
}

}  // namespace callis::classic
