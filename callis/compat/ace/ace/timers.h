// SPDX-License-Identifier: Apache-2.0
// ACE_High_Res_Timer and ACE_Profile_Timer, over the steady clock.
#pragma once
#include <ace/base.h>
#include <sys/resource.h>
#include <chrono>

class ACE_High_Res_Timer {
 public:
  using global_scale_factor_type = ACE_UINT32;
  static global_scale_factor_type global_scale_factor() { return 1000; }  // ticks of a microsecond
  static ACE_UINT32 get_env_global_scale_factor(const ACE_TCHAR* = nullptr) { return 0; }
  static int calibrate(ACE_UINT32 = 0, unsigned = 0) { return 0; }
  static ACE_hrtime_t gettime() {
    return static_cast<ACE_hrtime_t>(since_start() / std::chrono::nanoseconds(1));
  }
  static ACE_Time_Value gettimeofday_hr() { return ACE_Time_Value(since_start()); }
  static ACE_Time_Value gettimeofday() { return gettimeofday_hr(); }
  static void hrtime_to_tv(ACE_Time_Value& tv, ACE_hrtime_t t) { tv = ACE_Time_Value(std::chrono::nanoseconds(t)); }

  void reset() { *this = ACE_High_Res_Timer(); }
  void start() { start_ = gettime(); }
  void stop() { end_ = gettime(); }
  void start_incr() { since_ = gettime(); }
  void stop_incr() { total_ += gettime() - since_; }
  void elapsed_time(ACE_Time_Value& tv) const { tv = ACE_Time_Value(std::chrono::nanoseconds(end_ - start_)); }
  void elapsed_time(ACE_hrtime_t& nanoseconds) const { nanoseconds = end_ - start_; }
  void elapsed_microseconds(ACE_hrtime_t& us) const { us = (end_ - start_) / 1000; }
  void elapsed_time_incr(ACE_Time_Value& tv) const { tv = ACE_Time_Value(std::chrono::nanoseconds(total_)); }

 private:
  static std::chrono::steady_clock::duration since_start() {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
  ACE_hrtime_t start_ = 0, end_ = 0, since_ = 0, total_ = 0;
};

class ACE_Profile_Timer {
 public:
  struct ACE_Elapsed_Time {
    double real_time, user_time, system_time;
  };
  int start() { return take(start_); }
  int stop() { return take(end_); }
  int elapsed_time(ACE_Elapsed_Time& t) const {
    t = {end_.real - start_.real, end_.user - start_.user, end_.system - start_.system};
    return 0;
  }

 private:
  struct Moment {
    double real = 0, user = 0, system = 0;
  };
  static int take(Moment& m) {
    rusage used{};
    const int result = ::getrusage(RUSAGE_SELF, &used);
    m = {ACE_Time_Value(std::chrono::steady_clock::now().time_since_epoch()).to_double(),
         ACE_Time_Value(used.ru_utime).to_double(), ACE_Time_Value(used.ru_stime).to_double()};
    return result;
  }
  Moment start_, end_;
};
