#pragma once

#include "core/backend/cpu_backend.hpp"

#include <string>

namespace gantry {

/// Host memory and threads, with large arrays page-locked: devices copy them by themselves, at the
/// full speed of the bus and while they compute. For vectors whose products stream through devices.
class PageLockedBackend final : public CpuBackend {
 public:
  /// Of a device that the memory is locked through.
  PageLockedBackend(int device, std::string name) : device_(device), name_(std::move(name)) {}

  std::string name() const override { return name_; }
  bool lost() const override;
  float* allocate(std::size_t count) override;
  void release(float* memory) noexcept override;

 private:
  int device_;
  std::string name_;
};

}  // namespace gantry
