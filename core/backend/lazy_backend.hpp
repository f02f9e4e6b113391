#pragma once

#include "core/backend/backend.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gantry {

/// What GANTRY_DEVICE_MEMORY says that may be taken of a device; nothing where it is not set.
/// Throws UsageError when that is no amount of memory.
std::optional<std::size_t> memory_limit_of_environment();

/// A backend that is made when it is first needed: to start a device takes time and memory, which a
/// command that computes nothing on it does without. Or one that cannot be had, and why. Several
/// threads may ask.
class LazyBackend {
 public:
  using Make = std::function<std::unique_ptr<Backend>()>;

  LazyBackend(BackendKind kind, std::string name, Make make);
  explicit LazyBackend(std::unique_ptr<Backend> made, std::string name);
  /// Never to be had.
  LazyBackend(std::string name, std::string because);

  const std::string& name() const { return name_; }
  BackendKind kind() const { return kind_; }

  /// The backend, made now where it is not yet there; null where it cannot be made. A device gets
  /// the limit of limit_memory(), or else of the environment variable GANTRY_DEVICE_MEMORY. Throws
  /// UsageError when that is no amount of memory.
  Backend* get();
  /// The same; throws UsageError where it cannot be made.
  Backend& require();

  bool made() const;                        ///< it is there
  bool available() const;                   ///< it is there, or was not found to be impossible
  bool lost() const;                        ///< it is there, and failed for good
  std::string unavailable_because() const;  ///< one line; empty while nothing speaks against it

  /// See Backend; holds for the backend that will be made as well.
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
