#include "core/base/thread_priority.hpp"

#ifdef __linux__
#include <algorithm>
#include <cerrno>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace gantry {

void give_way_to_interaction() {
#ifdef __linux__
  // Linux keeps a priority for each thread. Five steps are a third of the time of a thread without
  // them, where both want the same core.
  constexpr int steps = 5, lowest = 19;
  const auto thread = static_cast<id_t>(syscall(SYS_gettid));
  errno = 0;
  const int now = getpriority(PRIO_PROCESS, thread);
  if (errno == 0) setpriority(PRIO_PROCESS, thread, std::min(now + steps, lowest));
#endif
}

}  // namespace gantry
