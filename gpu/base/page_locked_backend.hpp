#pragma once

#include "core/backend/cpu_backend.hpp"

#include <string>

namespace gantry {

/// A CPU backend whose large arrays are page-locked: devices copy such arrays without the host, at
/// the full bandwidth of the bus and while they compute. Meant for vectors whose products stream
/// through devices.
class PageLockedBackend final : public CpuBackend {
 public:
  /// `device` is the CUDA device through which the memory is locked.
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
