#include "core/io/files/decoder/limits.hpp"

#include "core/io/files/disk.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

namespace gantry {

namespace {

constexpr double no_limit = 1e18;

/// Returns the memory in bytes that RLIMIT_DATA counts. The function is called for each file and
/// uses no std streams, which would cost more time than the rest.
double data_in_use() {
  std::array<char, 256> text{};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t got = read(file, text.data(), text.size() - 1);
  close(file);
  unsigned long pages = 0;
  if (got <= 0 || std::sscanf(text.data(), "%*u %*u %*u %*u %*u %lu", &pages) != 1) return 0;
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double seconds_in_use() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void limit(int resource, double value) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0) return;
  now.rlim_cur = now.rlim_max;
  if (value < no_limit) now.rlim_cur = std::min(now.rlim_max, static_cast<rlim_t>(value));
  setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

}  // namespace

double decoding_seconds(std::size_t bytes) {
  constexpr double for_any_file = 10, for_a_megabyte = 1;
  if (std::getenv("GANTRY_DECODER_FAILS") != nullptr) return 1;  // tests wait until the time is up
  return for_any_file + for_a_megabyte * 1e-6 * static_cast<double>(bytes);
}

void limit_time(double seconds) {
  const double most = std::ceil(seconds_in_use() + seconds);
  limit(RLIMIT_CPU, large_files_confirmed() ? no_limit : most);
}

void limit_memory(const std::string& path) {
  const double most = data_in_use() + static_cast<double>(allowed_memory(size_of_file(path)));
  limit(RLIMIT_DATA, large_files_confirmed() ? no_limit : most);
}

}  // namespace gantry
