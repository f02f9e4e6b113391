#include "app/thread_policy.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace gantry {

void wait_without_spinning(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  // By its real path: under the name of the link it would be listed as "exe".
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error)
    execv(program.c_str(), argv);  // returns only when it failed: then the policy stays as it is
}

}  // namespace gantry
