#include "app/thread_policy.hpp"

#include <unistd.h>

#include <cstdlib>

namespace gantry {

void wait_without_spinning(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  execv("/proc/self/exe", argv);  // returns only when it failed: then the policy stays as it is
}

}  // namespace gantry
