#pragma once

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gantry::test {

/// While an object of this class exists, permissions of files also restrict a thread of root:
/// access that the owner lacks is denied. Needs no privilege.
class WithoutRootAccess {
 public:
  WithoutRootAccess() {
    syscall(SYS_capget, &header_, before_);
    __user_cap_data_struct without[2] = {before_[0], before_[1]};
    without[0].effective &= ~(1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH);
    holds_ = syscall(SYS_capset, &header_, without) == 0;
  }
  ~WithoutRootAccess() { syscall(SYS_capset, &header_, before_); }
  WithoutRootAccess(const WithoutRootAccess&) = delete;
  WithoutRootAccess& operator=(const WithoutRootAccess&) = delete;

  bool holds() const { return holds_; }

 private:
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct before_[2] = {};
  bool holds_ = false;
};

}  // namespace gantry::test
