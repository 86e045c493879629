// SPDX-License-Identifier: Apache-2.0
// Logs as clients see them: records, queries, states, sizes, copies (Telecom Log Service 1.1, 2.1 and 2.2).
#include <services/logging/testing/serving.h>

namespace callis::logs::testing {
namespace {

using Longs = std::vector<CORBA::Long>;

TEST_F(LogService, gives_records_ids_and_times_and_counts_their_octets) {
  const dla::BasicLog_var log = life->make();
  log->write_records(numbers(10, 3));
  EXPECT_EQ(log->get_n_records(), 3u);
  EXPECT_GE(log->get_current_size(), 3u * (16 + 8));
  const dla::RecordList_var all = query(log.in(), "");
  ASSERT_EQ(all->length(), 3u);
  EXPECT_EQ(longs(all.in()), (Longs{10, 11, 12}));
  EXPECT_EQ(all[0].id + 1, all[1].id);
  EXPECT_LE(all[0].time, all[2].time);
  EXPECT_GT(all[0].time, kUnixEpoch);
  EXPECT_EQ(dla::LogMgr_var(log->my_factory())->_is_equivalent(life->basic.in()), true);
}

TEST_F(LogService, answers_queries_over_all_fields_of_records) {
  const dla::BasicLog_var log = life->make();
  log->write_records(numbers(0, 20));
  dla::RecordList more;
  more.length(2);
  more[0].info = any("the pump has stopped");
  more[0].attr_list = attributes({{"level", any(3)}, {"program", any("boiler")}});
  more[1].info = any("ready");
  more[1].attr_list = attributes({{"level", any(1)}, {"program", any("boiler")}});
  log->write_recordlist(more);
  EXPECT_EQ(longs(query(log.in(), "info >= 5 and info < 8").in()), (Longs{5, 6, 7}));
  EXPECT_EQ(longs(query(log.in(), "$.id <= 2").in()), (Longs{0, 1}));
  EXPECT_EQ(query(log.in(), "'pump' ~ info")->length(), 1u);
  EXPECT_EQ(query(log.in(), "level >= 2 and program == 'boiler'")->length(), 1u);
  EXPECT_EQ(query(log.in(), "exist level")->length(), 2u);
  EXPECT_EQ(query(log.in(), "$level == 1 and $(program) == 'boiler'")->length(), 1u);
  EXPECT_EQ(query(log.in(), "time > 0")->length(), 22u);
  EXPECT_EQ(log->match("TCL", "info < 10"), 10u);
  dla::Iterator_var rest;
  EXPECT_THROW(log->query("SQL", "", rest.out()), dla::InvalidGrammar);
  EXPECT_THROW(log->match("EXTENDED_TCL", "info <"), dla::InvalidConstraint);
  EXPECT_THROW(log->delete_records("EXTENDED_TCL", "1 + 'a' == 2"), dla::InvalidConstraint);
}

TEST_F(LogService, follows_paths_into_values) {
  const dla::BasicLog_var log = life->make();
  dla::WeekMask week;
  week.length(2);
  week[1].days = dla::Monday;
  week[1].intervals.length(1);
  week[1].intervals[0] = {{8, 30}, {17, 0}};
  log->write_records(values({any(5), any(week[1]), any(week)}));
  log->set_record_attribute(1, attributes({{"shift", any(week[1])}, {"a.b", any(7)}}));
  EXPECT_EQ(log->match("EXTENDED_TCL", "$.info.days == 2"), 1u);
  EXPECT_EQ(log->match("EXTENDED_TCL", "$.info.intervals[0].start.minute == 30"), 1u);
  EXPECT_EQ(log->match("EXTENDED_TCL", "$.info[1].intervals[0].stop.hour > 16"), 1u);
  EXPECT_EQ(log->match("EXTENDED_TCL", "$.info.0 == 2"), 1u) << "a member by its position";
  EXPECT_EQ(log->match("EXTENDED_TCL", "exist $.info.intervals[1]"), 0u);
  EXPECT_EQ(log->match("EXTENDED_TCL", "exist $.info.nothing.there"), 0u);
  EXPECT_EQ(log->match("EXTENDED_TCL", "$.attr_list(shift).days == 2 and $(a.b) == 7"), 1u);
  EXPECT_EQ(log->match("EXTENDED_TCL", "$shift.intervals[0].start.hour == 8"), 1u);
}

TEST_F(LogService, retrieves_forwards_and_backwards_from_a_moment) {
  ServiceOptions options;
  options.clock = &set_moment;
  life.reset();
  moment = kUnixEpoch + 100;
  life = std::make_unique<Life>(archive, options);
  const dla::BasicLog_var log = life->make();
  for (CORBA::Long i = 0; i < 6; ++i, moment += 10) log->write_records(numbers(i, 1));
  dla::Iterator_var rest;
  EXPECT_EQ(longs(dla::RecordList_var(log->retrieve(kUnixEpoch + 120, 2, rest.out())).in()), (Longs{2, 3}));
  EXPECT_EQ(longs(dla::RecordList_var(log->retrieve(kUnixEpoch + 115, 2, rest.out())).in()), (Longs{2, 3}));
  EXPECT_EQ(longs(dla::RecordList_var(log->retrieve(kUnixEpoch + 120, -2, rest.out())).in()), (Longs{2, 1}));
  EXPECT_EQ(longs(dla::RecordList_var(log->retrieve(0, 100, rest.out())).in()), (Longs{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(dla::RecordList_var(log->retrieve(kUnixEpoch + 500, 5, rest.out()))->length(), 0u);
  EXPECT_EQ(dla::RecordList_var(log->retrieve(kUnixEpoch, -5, rest.out()))->length(), 0u);
  EXPECT_EQ(longs(dla::RecordList_var(log->retrieve(UINT64_MAX, INT32_MIN, rest.out())).in()),
            (Longs{5, 4, 3, 2, 1, 0}));
}

TEST_F(LogService, gives_long_results_by_iterators) {
  const dla::BasicLog_var log = life->make();
  log->write_records(numbers(0, 2'500));
  dla::Iterator_var rest;
  const dla::RecordList_var first = log->query("EXTENDED_TCL", "", rest.out());
  EXPECT_EQ(first->length(), 1'000u);
  ASSERT_FALSE(CORBA::is_nil(rest.in()));
  EXPECT_EQ(longs(dla::RecordList_var(rest->get(2'498, 10)).in()), (Longs{2'498, 2'499}));
  EXPECT_EQ(longs(dla::RecordList_var(rest->get(0, 1)).in()), (Longs{0})) << "positions may go back";
  EXPECT_EQ(dla::RecordList_var(rest->get(2'500, 1))->length(), 0u);
  EXPECT_THROW(rest->get(2'501, 1), dla::InvalidParam);
  EXPECT_EQ(log->delete_records("EXTENDED_TCL", "info == 1200"), 1u);
  EXPECT_EQ(longs(dla::RecordList_var(rest->get(1'199, 3)).in()), (Longs{1'199, 1'201})) << "deleted meanwhile";
  rest->destroy();
  EXPECT_THROW(rest->get(0, 1), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(LogService, wraps_over_its_oldest_records) {
  const dla::BasicLog_var log = life->make();
  log->write_records(numbers(0, 1));
  const CORBA::ULongLong one = log->get_current_size();
  log->set_max_size(10 * one);
  log->write_records(numbers(1, 14));
  EXPECT_EQ(longs(query(log.in(), "").in()), (Longs{5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(log->get_current_size(), 10 * one);
  EXPECT_FALSE(log->get_availability_status().log_full);
}

TEST_F(LogService, halts_when_it_is_full_and_goes_on_when_records_are_deleted) {
  const dla::BasicLog_var probe = life->make();
  probe->write_records(numbers(0, 1));
  const CORBA::ULongLong one = probe->get_current_size();
  const dla::BasicLog_var log = life->make(dla::halt, 10 * one + 1);
  try {
    log->write_records(numbers(0, 14));
    FAIL() << "it took them";
  } catch (const dla::LogFull& full) {
    EXPECT_EQ(full.n_records_written, 10);
  }
  EXPECT_TRUE(log->get_availability_status().log_full);
  EXPECT_EQ(log->get_n_records(), 10u);
  EXPECT_THROW(log->set_max_size(one), dla::InvalidParam);
  EXPECT_EQ(log->delete_records("EXTENDED_TCL", "info < 5"), 5u);
  EXPECT_FALSE(log->get_availability_status().log_full);
  log->write_records(numbers(100, 5));
  EXPECT_EQ(log->get_n_records(), 10u);
  EXPECT_THROW(log->set_log_full_action(2), dla::InvalidLogFullAction);
}

TEST_F(LogService, deletes_by_ids_and_never_uses_an_id_again) {
  const dla::BasicLog_var log = life->make();
  log->write_records(numbers(0, 4));
  dla::RecordIdList ids;
  ids.length(3);
  ids[0] = 4;
  ids[1] = 2;
  ids[2] = 77;
  EXPECT_EQ(log->delete_records_by_id(ids), 2u);
  log->write_records(numbers(9, 1));
  const dla::RecordList_var all = query(log.in(), "");
  EXPECT_EQ(longs(all.in()), (Longs{0, 2, 9}));
  EXPECT_EQ(all[2].id, 5u);
}

TEST_F(LogService, marks_records_with_attributes) {
  const dla::BasicLog_var log = life->make();
  log->write_records(numbers(0, 5));
  log->set_record_attribute(2, attributes({{"seen", any(true)}, {"by", any("ada")}}));
  EXPECT_EQ(log->set_records_attribute("EXTENDED_TCL", "info >= 3", attributes({{"seen", any(false)}})), 2u);
  EXPECT_EQ(longs(query(log.in(), "seen == TRUE").in()), (Longs{1}));
  EXPECT_EQ(longs(query(log.in(), "not seen == TRUE").in()), (Longs{3, 4}));
  const dla::NVList_var list = log->get_record_attribute(2);
  ASSERT_EQ(list->length(), 2u);
  EXPECT_STREQ(list[1].name.in(), "by");
  EXPECT_THROW(log->get_record_attribute(50), dla::InvalidRecordId);
  EXPECT_THROW(log->set_record_attribute(50, attributes({{"a", any(1)}})), dla::InvalidRecordId);
  EXPECT_THROW(log->set_record_attribute(1, attributes({{"", any(1)}})), dla::InvalidAttribute);
  EXPECT_THROW(log->set_record_attribute(1, attributes({{"a", any(1)}, {"a", any(2)}})), dla::InvalidAttribute);
}

// A request of a megabyte that says "all of them".
TEST_F(LogService, does_not_write_large_attributes_to_ever_so_many_records) {
  const dla::BasicLog_var log = life->make();
  for (int i = 0; i < 10; ++i) log->write_records(numbers(0, 300));
  const std::string large(900'000, 'x');
  EXPECT_THROW(log->set_records_attribute("EXTENDED_TCL", "TRUE", attributes({{"a", any(large.c_str())}})),
               CORBA::NO_RESOURCES);
  EXPECT_LT(log->get_current_size(), 20u << 20);
  EXPECT_EQ(log->set_records_attribute("EXTENDED_TCL", "TRUE", attributes({{"a", any("small")}})), 3'000u);
}

TEST_F(LogService, takes_no_records_while_it_is_locked_or_off_duty) {
  life.reset();
  moment = kUnixEpoch + 4 * 24 * 3600 * kTicksOfSecond;  // Monday, 5 January 1970, 00:00
  ServiceOptions options;
  options.clock = &set_moment;
  life = std::make_unique<Life>(archive, options);
  const dla::BasicLog_var log = life->make();
  log->set_administrative_state(dla::locked);
  EXPECT_THROW(log->write_records(numbers(0, 1)), dla::LogLocked);
  EXPECT_EQ(query(log.in(), "")->length(), 0u) << "but it can be read";
  log->set_administrative_state(dla::unlocked);
  dla::TimeInterval interval{moment + kTicksOfSecond, moment + 3600 * kTicksOfSecond};
  log->set_interval(interval);
  EXPECT_THROW(log->write_records(numbers(0, 1)), dla::LogOffDuty);
  EXPECT_TRUE(log->get_availability_status().off_duty);
  moment += kTicksOfSecond;
  log->write_records(numbers(0, 1));
  dla::WeekMask week;
  week.length(1);
  week[0].days = dla::Monday | dla::Friday;
  week[0].intervals.length(1);
  week[0].intervals[0] = {{8, 30}, {17, 0}};
  log->set_interval({0, 0});
  log->set_week_mask(week);
  EXPECT_THROW(log->write_records(numbers(0, 1)), dla::LogOffDuty);
  moment += TimeT{9} * 3600 * kTicksOfSecond;
  log->write_records(numbers(1, 1));
  moment += TimeT{24} * 3600 * kTicksOfSecond;  // Tuesday
  EXPECT_THROW(log->write_records(numbers(0, 1)), dla::LogOffDuty);
  EXPECT_EQ(dla::WeekMask_var(log->get_week_mask())[0].intervals[0].start.minute, 30);
  EXPECT_EQ(log->get_n_records(), 2u);
}

TEST_F(LogService, refuses_schedules_that_cannot_be) {
  const dla::BasicLog_var log = life->make();
  EXPECT_THROW(log->set_interval({5, 5}), dla::InvalidTimeInterval);
  EXPECT_THROW(log->set_interval({UINT64_MAX, 0}), dla::InvalidTime);
  dla::WeekMask week;
  week.length(1);
  week[0].days = 0;
  EXPECT_THROW(log->set_week_mask(week), dla::InvalidMask);
  week[0].days = 128;
  EXPECT_THROW(log->set_week_mask(week), dla::InvalidMask);
  week[0].days = dla::Sunday;
  week[0].intervals.length(2);
  week[0].intervals[0] = {{24, 0}, {25, 0}};
  EXPECT_THROW(log->set_week_mask(week), dla::InvalidTime);
  week[0].intervals[0] = {{12, 0}, {11, 0}};
  week[0].intervals[1] = {{1, 0}, {2, 0}};
  EXPECT_THROW(log->set_week_mask(week), dla::InvalidTimeInterval);
  week[0].intervals[0] = {{1, 30}, {3, 0}};
  EXPECT_THROW(log->set_week_mask(week), dla::InvalidTimeInterval) << "they overlap";
}

TEST_F(LogService, lets_records_go_when_their_life_is_over) {
  life.reset();
  moment = kUnixEpoch + 1'000 * kTicksOfSecond;
  ServiceOptions options;
  options.clock = &set_moment;
  life = std::make_unique<Life>(archive, options);
  const dla::BasicLog_var log = life->make();
  log->set_max_record_life(60);
  log->write_records(numbers(0, 2'500));
  moment += 30 * kTicksOfSecond;
  log->write_records(numbers(7, 1));
  moment += 31 * kTicksOfSecond;
  EXPECT_EQ(log->get_n_records(), 1u);
  EXPECT_EQ(longs(query(log.in(), "").in()), (Longs{7}));
}

TEST_F(LogService, lets_records_go_without_being_asked_from_the_moment_at_which_they_get_a_life) {
  ServiceOptions options;
  options.clock = &set_moment;
  options.every = std::chrono::milliseconds(1);
  life.reset();
  life = std::make_unique<Life>(archive, options);
  moment = kUnixEpoch;
  dla::LogId id = 0;
  const dla::BasicLog_var log = life->basic->create(dla::wrap, 0, id);
  log->write_records(numbers(1, 3));
  moment = kUnixEpoch + 100 * kTicksOfSecond;
  EXPECT_EQ(archive.tally(id).records, 3u);
  log->set_max_record_life(10);
  while (archive.tally(id).records != 0) std::this_thread::yield();
}

TEST_F(LogService, has_the_qualities_of_its_store_and_refuses_others) {
  const dla::BasicLog_var log = life->make();
  const dla::QoSList_var has = log->get_log_qos();
  ASSERT_EQ(has->length(), 1u);
  EXPECT_EQ(has[0], dla::QoSNone);
  EXPECT_THROW(log->flush(), dla::UnsupportedQoS);
  dla::QoSList wanted;
  wanted.length(3);
  wanted[0] = dla::QoSNone;
  wanted[1] = dla::QoSReliability;
  wanted[2] = 99;
  try {
    log->set_log_qos(wanted);
    FAIL() << "memory is not reliable";
  } catch (const dla::UnsupportedQoS& e) {
    ASSERT_EQ(e.denied.length(), 2u);
    EXPECT_EQ(e.denied[1], 99);
  }
  const services::testing::Folder folder;
  Archive file(folder / "logs.db");
  Life other(file);
  const dla::BasicLog_var kept = other.make();
  EXPECT_EQ(dla::QoSList_var(kept->get_log_qos())->length(), 2u);
  kept->flush();
  wanted.length(1);
  kept->set_log_qos(wanted);
  EXPECT_THROW(kept->flush(), dla::UnsupportedQoS);
}

TEST_F(LogService, copies_a_log_with_settings_records_ids_and_times) {
  const dla::BasicLog_var log = life->make(dla::halt, 1'000'000);
  log->write_records(numbers(0, 1'000));
  log->delete_records("EXTENDED_TCL", "info < 10");
  dla::LogId id = 0;
  const dla::Log_var copy = log->copy(id);
  EXPECT_EQ(copy->id(), id);
  EXPECT_EQ(copy->get_n_records(), 990u);
  EXPECT_EQ(copy->get_current_size(), log->get_current_size());
  EXPECT_EQ(copy->get_log_full_action(), dla::halt);
  const dla::RecordList_var a = query(log.in(), "info == 500"), b = query(copy.in(), "info == 500");
  ASSERT_EQ(b->length(), 1u);
  EXPECT_EQ(a[0].id, b[0].id);
  EXPECT_EQ(a[0].time, b[0].time);
  copy->write_records(numbers(5, 1));
  EXPECT_EQ(log->get_n_records(), 990u) << "they are two logs";
  EXPECT_THROW(log->copy_with_id(id), dla::LogIdAlreadyExists);
  const dla::Log_var other = log->copy_with_id(777);
  EXPECT_EQ(other->id(), 777u);
  EXPECT_FALSE(CORBA::is_nil(dla::BasicLog_var(dla::BasicLog::_narrow(other.in())).in()));
}

TEST_F(LogService, lists_finds_and_destroys_logs) {
  const dla::BasicLog_var log = life->basic->create_with_id(50, dla::wrap, 0);
  EXPECT_THROW(life->basic->create_with_id(50, dla::wrap, 0), dla::LogIdAlreadyExists);
  EXPECT_THROW(life->basic->create_with_id(51, 9, 0), dla::InvalidLogFullAction);
  const dla::LogIdList_var ids = life->basic->list_logs_by_id();
  ASSERT_EQ(ids->length(), 2u) << "the other is that of programs' lines";
  EXPECT_EQ(ids[1], 50u);
  EXPECT_EQ(dla::LogList_var(life->basic->list_logs())[1]->id(), 50u);
  EXPECT_TRUE(dla::Log_var(life->basic->find_log(50))->_is_equivalent(log.in()));
  EXPECT_TRUE(CORBA::is_nil(dla::Log_var(life->basic->find_log(51)).in()));
  EXPECT_TRUE(CORBA::is_nil(dla::Log_var(life->events->find_log(50)).in())) << "it is no event log";
  log->destroy();
  EXPECT_TRUE(CORBA::is_nil(dla::Log_var(life->basic->find_log(50)).in()));
  EXPECT_THROW(log->get_n_records(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(log->write_records(numbers(0, 1)), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(LogService, is_as_it_was_in_the_next_life_with_the_same_store) {
  const services::testing::Folder folder;
  const std::string path = folder / "logs.db";
  CORBA::ULongLong size = 0;
  {
    Archive file(path);
    Life first(file);
    const dla::BasicLog_var log = first.basic->create_with_id(9, dla::halt, 100'000);
    log->write_records(numbers(0, 100));
    log->delete_records("EXTENDED_TCL", "info >= 90");
    log->set_max_record_life(3'600);
    size = log->get_current_size();
  }
  Archive file(path);
  Life next(file);
  const dla::Log_var log = next.basic->find_log(9);
  ASSERT_FALSE(CORBA::is_nil(log.in()));
  EXPECT_EQ(log->get_n_records(), 90u);
  EXPECT_EQ(log->get_current_size(), size);
  EXPECT_EQ(log->get_log_full_action(), dla::halt);
  EXPECT_EQ(log->get_max_record_life(), 3'600u);
  log->write_records(numbers(5, 1));
  EXPECT_EQ(query(log.in(), "id > 90")[0].id, 101u) << "ids go on behind those that were deleted";
}

// The sink of programs' lines.
TEST_F(LogService, keeps_lines_of_programs_with_their_levels) {
  CallisLogging::Sink_var sink = life->front->line_sink();
  CallisLogging::Program from;
  from.host = "tower";
  from.name = "boiler";
  from.process = 42;
  CallisLogging::Lines lines;
  lines.length(2);
  lines[0].time = lines[1].time = kUnixEpoch;
  lines[0].level = CallisLogging::info;
  lines[0].text = "ready";
  lines[1].level = CallisLogging::error;
  lines[1].text = "the pump has stopped";
  sink->write(from, lines, 0);
  sink->write_and_wait(from, lines, 3);
  const dla::Log_var log = life->basic->find_log(life->front->line_log());
  while (log->get_n_records() < 5) std::this_thread::yield();
  EXPECT_EQ(query(log.in(), "level >= 4 and program == 'boiler' and process == 42 and host == 'tower'")->length(),
            2u);
  const dla::RecordList_var dropped = query(log.in(), "'dropped' ~ info");
  ASSERT_EQ(dropped->length(), 1u);
  const char* text = nullptr;
  ASSERT_TRUE(dropped[0].info >>= text);
  EXPECT_EQ(std::string(text).substr(0, 7), "3 lines");
}

}  // namespace
}  // namespace callis::logs::testing
