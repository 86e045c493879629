// SPDX-License-Identifier: Apache-2.0
// Every function but read, write and open hands its call to SQLite's own file below.
#include <services/common/sqlite_pages.h>
#include <sqlite3.h>
#include <bit>
#include <cstring>

namespace callis::services::sqlite {

namespace {

struct File {
  sqlite3_file base;            // what SQLite sees; first
  bool is_log;                  // otherwise it is the database
  bool checked;                 // the database's pages have checksums; never false again
  File* database;               // of a log; may be nullptr
  sqlite3_int64 most_log_bytes; // of the database; 0: no bound
};

constexpr int kLimitLog = 0x63616c4c, kBegin = 0x63616c42;  // of xFileControl(): "calL", "calB"

File& own(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
sqlite3_file* below(sqlite3_file* file) { return reinterpret_cast<sqlite3_file*>(&own(file) + 1); }
const sqlite3_io_methods& under(sqlite3_file* file) { return *below(file)->pMethods; }

std::uint64_t word_at(const unsigned char* at) {
  std::uint64_t out;
  std::memcpy(&out, at, sizeof out);
  if constexpr (std::endian::native == std::endian::big) out = __builtin_bswap64(out);
  return out;
}

// Four lanes, so that multiplications overlap. Each step is one-to-one: a change of one word is always seen. No page
// of zeros has a checksum of zero.
std::uint64_t checksum(const unsigned char* page, std::size_t bytes, std::uint64_t number) {
  constexpr std::uint64_t kFactor = 0x9fb21c651e98df25;
  const auto mixed = [](std::uint64_t lane, std::uint64_t word) {
    lane = (lane ^ word) * kFactor;
    return lane ^ lane >> 29;
  };
  std::uint64_t lanes[4] = {number, 0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0};
  std::size_t at = 0;
  for (; at + 32 <= bytes; at += 32)
    for (std::size_t i = 0; i < 4; ++i) lanes[i] = mixed(lanes[i], word_at(page + at + 8 * i));
  for (; at + 8 <= bytes; at += 8) lanes[0] = mixed(lanes[0], word_at(page + at));
  std::uint64_t out = 0x082efa98ec4e6c89;
  for (const std::uint64_t lane : lanes) out = mixed(out, lane);
  return out;
}

bool is_page(int bytes, sqlite3_int64 at) {
  return bytes >= 512 && std::has_single_bit(static_cast<unsigned>(bytes)) && at % bytes == 0;
}

std::uint64_t checksum_of(const unsigned char* page, int bytes, sqlite3_int64 at) {
  return checksum(page, static_cast<std::size_t>(bytes - kPageChecksumBytes),
                  static_cast<std::uint64_t>(at / bytes) + 1);
}

// The head says at 20 how many bytes each page reserves.
void look_at_head(File& file, const void* data, int bytes, sqlite3_int64 at) {
  if (at == 0 && bytes >= 100 && std::memcmp(data, "SQLite format 3", 16) == 0 &&
      static_cast<const unsigned char*>(data)[20] == kPageChecksumBytes)
    file.checked = true;
}

int close_file(sqlite3_file* file) { return under(file).xClose(below(file)); }

int read_file(sqlite3_file* file, void* to, int bytes, sqlite3_int64 at) {
  const int result = under(file).xRead(below(file), to, bytes, at);
  File& mine = own(file);
  if (mine.is_log) return result;
  if (result == SQLITE_OK) look_at_head(mine, to, bytes, at);
  if (!mine.checked || !is_page(bytes, at)) return result;
  if (result == SQLITE_IOERR_SHORT_READ) {  // behind the file's end there are new pages; a page cut in two is damage
    sqlite3_int64 size = 0;
    const int asked = under(file).xFileSize(below(file), &size);
    return asked != SQLITE_OK ? asked : at < size ? SQLITE_IOERR_DATA : result;
  }
  if (result != SQLITE_OK) return result;
  const auto* const page = static_cast<const unsigned char*>(to);
  return checksum_of(page, bytes, at) == word_at(page + bytes - kPageChecksumBytes) ? SQLITE_OK : SQLITE_IOERR_DATA;
}

// The reserved bytes are nobody's but this layer's, so they are written where they lie, in SQLite's own page.
int write_file(sqlite3_file* file, const void* from, int bytes, sqlite3_int64 at) {
  File& mine = own(file);
  if (mine.is_log) {
    const sqlite3_int64 most = mine.database ? mine.database->most_log_bytes : 0;
    if (most != 0 && at + bytes > most) return SQLITE_FULL;
  } else {
    look_at_head(mine, from, bytes, at);
    if (mine.checked && is_page(bytes, at)) {
      auto* const page = const_cast<unsigned char*>(static_cast<const unsigned char*>(from));
      std::uint64_t sum = checksum_of(page, bytes, at);
      if constexpr (std::endian::native == std::endian::big) sum = __builtin_bswap64(sum);
      std::memcpy(page + bytes - kPageChecksumBytes, &sum, sizeof sum);
    }
  }
  return under(file).xWrite(below(file), from, bytes, at);
}

int control(sqlite3_file* file, int what, void* with) {
  switch (what) {
    case kLimitLog: own(file).most_log_bytes = *static_cast<const std::int64_t*>(with); return SQLITE_OK;
    case kBegin: own(file).checked = true; return SQLITE_OK;
    default: return under(file).xFileControl(below(file), what, with);
  }
}

int truncate_file(sqlite3_file* f, sqlite3_int64 size) { return under(f).xTruncate(below(f), size); }
int sync_file(sqlite3_file* f, int flags) { return under(f).xSync(below(f), flags); }
int size_of_file(sqlite3_file* f, sqlite3_int64* size) { return under(f).xFileSize(below(f), size); }
int lock_file(sqlite3_file* f, int level) { return under(f).xLock(below(f), level); }
int unlock_file(sqlite3_file* f, int level) { return under(f).xUnlock(below(f), level); }
int is_reserved(sqlite3_file* f, int* out) { return under(f).xCheckReservedLock(below(f), out); }
int sector_size(sqlite3_file* f) { return under(f).xSectorSize(below(f)); }
int characteristics(sqlite3_file* f) {
  // Not SQLITE_IOCAP_SUBPAGE_READ and the like: pages are read whole.
  return under(f).xDeviceCharacteristics(below(f));
}
int map_shared(sqlite3_file* f, int region, int bytes, int extend, void volatile** out) {
  return under(f).xShmMap(below(f), region, bytes, extend, out);
}
int lock_shared(sqlite3_file* f, int at, int n, int flags) { return under(f).xShmLock(below(f), at, n, flags); }
void shared_barrier(sqlite3_file* f) { under(f).xShmBarrier(below(f)); }
int unmap_shared(sqlite3_file* f, int remove) { return under(f).xShmUnmap(below(f), remove); }

// Version 2: without xFetch(), by which SQLite would read pages past this layer.
const sqlite3_io_methods kMethods = {2,           close_file,     read_file,      write_file,  truncate_file,
                                     sync_file,   size_of_file,   lock_file,      unlock_file, is_reserved,
                                     control,     sector_size,    characteristics, map_shared, lock_shared,
                                     shared_barrier, unmap_shared, nullptr,       nullptr};

int open_file(sqlite3_vfs* layer, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* const real = static_cast<sqlite3_vfs*>(layer->pAppData);
  if ((flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) == 0) return real->xOpen(real, name, file, flags, out_flags);
  File& mine = own(file);
  std::memset(static_cast<void*>(&mine), 0, sizeof mine);
  std::memset(static_cast<void*>(below(file)), 0, static_cast<std::size_t>(real->szOsFile));
  if (const int result = real->xOpen(real, name, below(file), flags, out_flags); result != SQLITE_OK) return result;
  if (below(file)->pMethods->iVersion < 2) {
    below(file)->pMethods->xClose(below(file));
    return SQLITE_CANTOPEN;
  }
  mine.base.pMethods = &kMethods;
  mine.is_log = (flags & SQLITE_OPEN_WAL) != 0;
  if (!mine.is_log) return SQLITE_OK;
  sqlite3_file* const database = sqlite3_database_file_object(name);
  if (database && database->pMethods == &kMethods) mine.database = &own(database);
  return SQLITE_OK;
}

// Below all others SQLite's default, which does all that is not about files that are open.
sqlite3_vfs* make_layer() {
  sqlite3_vfs* const real = sqlite3_vfs_find(nullptr);
  if (!real) return nullptr;
  static sqlite3_vfs layer;
  layer = *real;
  layer.pNext = nullptr;
  layer.pAppData = real;
  layer.zName = "callis-pages";
  layer.szOsFile = static_cast<int>(sizeof(File)) + real->szOsFile;
  layer.xOpen = open_file;
  return sqlite3_vfs_register(&layer, 0) == SQLITE_OK ? &layer : nullptr;
}

}  // namespace

const char* checked_pages() noexcept {
  static sqlite3_vfs* const layer = make_layer();
  return layer ? layer->zName : nullptr;
}

// Pages of a large first transaction are written before the head, which says that they have checksums.
int begin_checksums(sqlite3* database) noexcept {
  int reserved = kPageChecksumBytes;
  if (const int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
      result != SQLITE_OK)
    return result;
  return sqlite3_file_control(database, "main", kBegin, nullptr);
}

void limit_log(sqlite3* database, std::int64_t bytes) noexcept {
  sqlite3_file_control(database, "main", kLimitLog, &bytes);
}

}  // namespace callis::services::sqlite
