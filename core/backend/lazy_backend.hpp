#pragma once

#include "core/backend/backend.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gantry {

/// Returns the limit of device memory in bytes that the environment variable GANTRY_DEVICE_MEMORY
/// sets; nothing if it is not set. Throws UsageError if its value is no amount of memory.
std::optional<std::size_t> memory_limit_of_environment();

/// A backend that is made when it is first needed, since starting a device takes time and memory
/// that a command without computations on the device saves; or a backend that cannot be made, with
/// the reason. All functions may be called by several threads.
class LazyBackend {
 public:
  using Make = std::function<std::unique_ptr<Backend>()>;

  LazyBackend(BackendKind kind, std::string name, Make make);
  explicit LazyBackend(std::unique_ptr<Backend> made, std::string name);
  /// A backend that is never available.
  LazyBackend(std::string name, std::string because);

  const std::string& name() const { return name_; }
  BackendKind kind() const { return kind_; }

  /// Returns the backend, made now unless it exists; null if it cannot be made. After OutOfMemory
  /// the next call tries again. The memory of a device is limited as limit_memory() or else the
  /// environment variable GANTRY_DEVICE_MEMORY says. Throws UsageError if that variable is no
  /// amount of memory, or from the maker.
  Backend* get();
  /// Returns the backend like get(); throws UsageError, with the reason, if it cannot be made.
  Backend& require();

  bool made() const;                        ///< whether the backend exists
  bool available() const;                   ///< false once making it has proved impossible
  bool lost() const;                        ///< whether the backend exists and has failed for good
  std::string unavailable_because() const;  ///< one line; empty if no reason is known

  /// See Backend::limit_memory. The limit also applies to a backend that is made later.
  void limit_memory(std::size_t bytes);

 private:
  std::optional<std::size_t> limit() const;
  void make();

  const BackendKind kind_;
  const std::string name_;
  Make make_;
  mutable std::mutex mutex_;
  std::unique_ptr<Backend> backend_;
  bool impossible_ = false;
  std::string because_;
  std::optional<std::size_t> limit_bytes_;
};

}  // namespace gantry
