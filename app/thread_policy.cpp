#include "app/thread_policy.hpp"

#include <array>
#include <cstdlib>
#include <unistd.h>

namespace gantry {

void wait_without_spinning(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  // By its real path: under the name of the link it would be listed as "exe".
  std::array<char, 4096> program{};
  if (readlink("/proc/self/exe", program.data(), program.size() - 1) > 0)
    execv(program.data(), argv);  // returns only when it failed: then the policy stays as it is
}

}  // namespace gantry
