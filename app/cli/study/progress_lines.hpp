#pragma once

#include "core/base/clock.hpp"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace gantry::cli {

/// Prints the progress of a long computation to standard error, a line at a time: the part that is
/// done, the elapsed time and what comes next. Where nothing is told for long, the last line
/// appears again with the time that has passed.
class ProgressLines {
 public:
  ProgressLines();

  /// What follows is of this task: "2 of 9, cuart"; its own time begins.
  void begin(const std::string& task);
  void tell(double done, const std::string& what);

 private:
  void repeat(const std::stop_token& stop);
  void print() const;

  std::mutex mutex_;
  std::condition_variable_any told_;
  std::string task_, what_;
  double done_ = 0;
  unsigned lines_ = 0;
  Clock::time_point start_ = Clock::now();
  std::jthread repeater_;  // the last member: joined before other members are destroyed
};

}  // namespace gantry::cli
