#include "app/cli/study/progress_lines.hpp"

#include <chrono>
#include <cstdio>

namespace gantry::cli {

namespace {

/// The longest time without a line; less than the two seconds after which a program looks stuck.
constexpr std::chrono::milliseconds longest_silence{1800};

}  // namespace

ProgressLines::ProgressLines() : repeater_([this](const std::stop_token& stop) { repeat(stop); }) {}

void ProgressLines::begin(const std::string& task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = task + "  ";
    start_ = Clock::now();
  }
  tell(0, "begins");
}

void ProgressLines::tell(double done, const std::string& what) {
  {
    const std::lock_guard lock(mutex_);
    done_ = done;
    what_ = what;
    ++lines_;
    print();
  }
  told_.notify_one();
}

void ProgressLines::repeat(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  unsigned seen = lines_;
  while (!stop.stop_requested()) {
    const bool more = told_.wait_for(lock, stop, longest_silence, [&] { return lines_ != seen; });
    if (!more && !what_.empty() && !stop.stop_requested()) print();
    seen = lines_;
  }
}

void ProgressLines::print() const {
  std::fprintf(stderr, "%s%3.0f %%  %6.1f s  %s\n", task_.c_str(), 100 * done_,
               seconds_since(start_), what_.c_str());
}

}  // namespace gantry::cli
