#include "app/thread_policy.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <latch>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

namespace gantry {

void wait_without_spinning(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  // The real path: under the name of the link, the process would be listed as "exe".
  std::array<char, 4096> program{};
  if (readlink("/proc/self/exe", program.data(), program.size() - 1) > 0)
    execv(program.data(), argv);  // returns only on failure; the policy is then unchanged
}

void limit_threads_to_memory() {
#ifdef _OPENMP
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return;
#ifdef M_ARENA_MAX
  // Otherwise the C library reserves an arena of 64 MiB for each of the first threads that allocate
  // at the same moment, and how many that are differs from run to run.
  mallopt(M_ARENA_MAX, 1);
#endif
  const auto wanted = static_cast<std::size_t>(omp_get_max_threads() - 1);  // besides this thread
  std::vector<std::thread> team;
  std::latch all_made(1);
  try {
    while (team.size() < wanted) team.emplace_back([&] { all_made.wait(); });
  } catch (const std::exception&) {  // no memory for one more thread
    // Only half of them are used, since the computation needs memory, too.
    omp_set_num_threads(1 + static_cast<int>(team.size()) / 2);
  }
  all_made.count_down();
  for (std::thread& thread : team) thread.join();
#endif
}

}  // namespace gantry
