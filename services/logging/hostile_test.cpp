// SPDX-License-Identifier: Apache-2.0
// Clients that ask for too much or for nonsense, leave things behind, and stores that are full.
#include <services/logging/testing/serving.h>
#include <random>

namespace callis::logs::testing {
namespace {

TEST_F(LogService, refuses_constraints_of_any_bytes_and_goes_on) {
  const dla::BasicLog_var log = life->make();
  log->write_records(numbers(0, 3));
  std::mt19937 random(7);
  const std::string alphabet = "$.()[]<>=!~+-*/'\" andornotexist0123456789info_attr_list\\\x01\xff";
  int refused = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::string text(random() % 40, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    try {
      log->match("EXTENDED_TCL", text.c_str());
    } catch (const dla::InvalidConstraint&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1'000);
  EXPECT_THROW(log->match("EXTENDED_TCL", std::string(100'000, '(').c_str()), dla::InvalidConstraint);
  EXPECT_THROW(log->match("EXTENDED_TCL", "$.id.deep == 1"), dla::InvalidConstraint) << "a number has no members";
  EXPECT_EQ(log->match("EXTENDED_TCL", "info >= 0"), 3u);
}

TEST_F(LogService, bounds_the_records_of_one_call) {
  const dla::BasicLog_var log = life->make();
  EXPECT_THROW(log->write_records(numbers(0, 40'000)), CORBA::IMP_LIMIT);
  EXPECT_EQ(log->get_n_records(), 0u);
  const std::string large(2u << 20, 'x');
  EXPECT_THROW(log->write_records(values({any(1), any(large.c_str())})), CORBA::IMP_LIMIT);
  EXPECT_EQ(log->get_n_records(), 0u) << "all or none";
  dla::RecordList odd;
  odd.length(1);
  odd[0].id = UINT64_MAX;
  odd[0].time = UINT64_MAX;
  odd[0].info = any(1);
  log->write_recordlist(odd);
  EXPECT_EQ(query(log.in(), "")[0].id, 1u) << "ids and times are the log's";
  odd[0].attr_list = attributes({{"", any(1)}});
  EXPECT_THROW(log->write_recordlist(odd), CORBA::BAD_PARAM);
  std::vector<std::pair<std::string, CORBA::Any>> many;
  for (int i = 0; i < 101; ++i) many.emplace_back("a" + std::to_string(i), any(i));
  EXPECT_THROW(log->set_record_attribute(1, attributes(many)), dla::InvalidAttribute);
  log->write_records(dla::Anys());
  EXPECT_EQ(log->get_n_records(), 1u);
}

TEST_F(LogService, keeps_attributes_within_the_size_of_the_log) {
  const dla::BasicLog_var log = life->make(dla::wrap, 1'000);
  log->write_records(numbers(0, 1));
  const std::string text(5'000, 'x');
  EXPECT_THROW(log->set_record_attribute(1, attributes({{"a", any(text.c_str())}})), CORBA::NO_RESOURCES);
  EXPECT_THROW(log->write_records(values({any(text.c_str())})), dla::LogFull) << "larger than the log";
}

TEST_F(LogService, lets_iterators_go_that_clients_leave_behind) {
  const dla::BasicLog_var log = life->make();
  log->write_records(numbers(0, 1'001));
  dla::Iterator_var oldest, newest;
  dla::RecordList_var some = log->query("EXTENDED_TCL", "", oldest.out());
  for (std::size_t i = 0; i < Iterators::kMost; ++i) some = log->retrieve(0, 1'001, newest.out());
  EXPECT_EQ(life->service->iterators().size(), Iterators::kMost);
  EXPECT_THROW(oldest->get(0, 1), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(dla::RecordList_var(newest->get(1'000, 5))->length(), 1u);
  life->service->iterators().reap(std::chrono::steady_clock::now() + Iterators::kIdle);
  EXPECT_EQ(life->service->iterators().size(), 0u);
  EXPECT_THROW(newest->get(0, 1), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(LogService, says_that_the_disk_is_full_and_goes_on_when_it_is_not) {
  const services::testing::Folder folder;
  Archive file(folder / "logs.db");
  Life other(file);
  const dla::BasicLog_var log = other.make();
  file.limit_pages(100);
  const std::string text(20'000, 'x');
  CORBA::ULongLong kept = 0;
  EXPECT_THROW(for (;; ++kept) log->write_records(values({any(text.c_str())})), CORBA::NO_RESOURCES);
  EXPECT_GT(kept, 3u);
  EXPECT_EQ(log->get_n_records(), kept);
  EXPECT_EQ(log->delete_records("EXTENDED_TCL", "id <= 3"), 3u);
  log->write_records(values({any(text.c_str())}));
  EXPECT_EQ(log->get_n_records(), kept - 2);
}

TEST_F(LogService, cuts_lines_of_programs_that_are_too_many_or_too_long) {
  const CallisLogging::Sink_var sink = life->front->line_sink();
  CallisLogging::Program from;
  from.host = std::string(10'000, 'h').c_str();
  from.name = "p";
  from.process = 1;
  CallisLogging::Lines lines;
  lines.length(10'002);
  for (CORBA::ULong i = 0; i < lines.length(); ++i) {
    lines[i].level = CallisLogging::trace;
    lines[i].text = "x";
  }
  lines[0].text = std::string(200'000, 't').c_str();
  sink->write_and_wait(from, lines, 0);
  const dla::Log_var log = life->basic->find_log(life->front->line_log());
  EXPECT_EQ(log->get_n_records(), 10'001u);
  const dla::RecordList_var said = query(log.in(), "level == 3");
  ASSERT_EQ(said->length(), 1u);
  const char* text = nullptr;
  ASSERT_TRUE(said[0].info >>= text);
  EXPECT_EQ(std::string(text).substr(0, 7), "2 lines");
}

struct BoundedLogService : LogService {
  services::MemoryBound bound{{4u << 20, 4u << 20}};
  BoundedLogService() {
    ServiceOptions options;
    options.memory = &bound;
    options.line_log_bytes = 65'536;
    life.reset();
    life = std::make_unique<Life>(archive, options);
  }
  ~BoundedLogService() override { life.reset(); }
};

TEST_F(BoundedLogService, counts_records_in_memory_and_gives_back_those_that_are_deleted) {
  const dla::BasicLog_var log = life->make();
  const std::string text(100'000, 'x');
  int written = 0;
  try {
    for (;; ++written) log->write_records(values({any(text.c_str())}));
  } catch (const CORBA::NO_RESOURCES& e) {
    EXPECT_NE(std::string(e.what()).find("--max-memory"), std::string::npos) << e.what();
  }
  EXPECT_GE(written, 30);
  EXPECT_LE(written, 42);
  EXPECT_EQ(log->delete_records("EXTENDED_TCL", "id <= 20"), 20u);
  EXPECT_NO_THROW(log->write_records(values({any(text.c_str())})));
  const std::size_t before = bound.held();
  log->destroy();
  EXPECT_LT(bound.held() + (1u << 20), before);
}

TEST_F(BoundedLogService, counts_logs_and_the_ids_that_iterators_have) {
  const dla::BasicLog_var log = life->make();
  for (int i = 0; i < 30; ++i) log->write_records(numbers(0, 1'000));
  const std::size_t before = bound.held();
  std::vector<dla::Iterator_var> all;
  try {
    for (;;) {
      dla::Iterator_var rest;
      (void)dla::RecordList_var(log->query("EXTENDED_TCL", "", rest.out()));
      all.push_back(rest);
    }
  } catch (const CORBA::NO_RESOURCES&) {}
  EXPECT_GE(all.size(), 2u);
  EXPECT_LE(all.size(), 20u);
  for (const auto& each : all) each->destroy();
  EXPECT_LE(bound.held(), before);
  int made = 0;
  try {
    for (;; ++made) (void)life->make();
  } catch (const CORBA::NO_RESOURCES&) {}
  EXPECT_LE(made, 2'048);
}

TEST_F(LogService, ends_questions_that_take_too_long_and_says_the_limit) {
  ServiceOptions options;
  options.bounds.query = std::chrono::milliseconds(1);
  life.reset();
  life = std::make_unique<Life>(archive, options);
  const dla::BasicLog_var log = life->make();
  for (int i = 0; i < 20; ++i) log->write_records(numbers(0, 1'000));
  dla::Iterator_var rest;
  for (const auto& ask : std::vector<std::function<void()>>{
           [&] { (void)dla::RecordList_var(log->query("EXTENDED_TCL", "info == -1", rest.out())); },
           [&] { log->match("EXTENDED_TCL", "info == -1"); },
           [&] { log->delete_records("EXTENDED_TCL", "info == -1"); }}) {
    try {
      ask();
      FAIL();
    } catch (const CORBA::NO_RESOURCES& e) {
      EXPECT_NE(std::string(e.what()).find("--query-time"), std::string::npos) << e.what();
    }
  }
  EXPECT_EQ(log->get_n_records(), 20'000u);
}

}  // namespace
}  // namespace callis::logs::testing
