#pragma once

#include "core/backend/backend.hpp"
#include "core/backend/energy_counter.hpp"
#include "core/backend/lazy_backend.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// The backends of this program and machine. Filled once by the composition root; those that are
/// devices are started when something is computed on them, and not before.
class BackendList {
 public:
  /// Throws Error where there is no counter, and why.
  using MakeEnergyCounter = std::function<std::unique_ptr<const EnergyCounter>()>;

  struct Energy;

  struct Entry {
    std::string key;   ///< "cpu", "cuda"
    std::string name;  ///< "CPU, 8 threads", "NVIDIA H200"
    std::shared_ptr<LazyBackend> backend;
    std::shared_ptr<Energy> energy = {};  ///< null where no counter is known

    BackendKind kind() const { return backend->kind(); }
    bool available() const { return backend->available(); }
  };

  /// Under the backend's own name, or another.
  void add(std::string key, std::unique_ptr<Backend> backend, std::string name = {});
  /// Made when it is first needed. What is returned is the entry's, for those that work with it.
  std::shared_ptr<LazyBackend> add_lazily(std::string key, BackendKind kind, std::string name,
                                          LazyBackend::Make make);
  void add_unavailable(std::string key, std::string name, std::string because);
  /// Of a backend that is in the list: how its counter is made when it is asked for.
  void add_energy(const std::string& key, MakeEnergyCounter make);
  const std::vector<Entry>& entries() const { return entries_; }
  /// Those of another kind than the CPU that are available, in the order of adding.
  std::vector<const Entry*> devices() const;
  /// Of all backends that are in the list or will be added: see Backend.
  void limit_memory(std::size_t bytes);

  /// The backend of this key; "auto" is the first available one, in the order of adding: for what
  /// belongs to no run. A run's is found by plan_run (core/job), which knows whether it fits.
  /// Throws UsageError saying why a backend is not available, or what there is.
  Backend& resolve(const std::string& key) const;
  /// The counter of a backend as of resolve; null where it has none, and then why.
  const EnergyCounter* energy(const std::string& key, std::string& because) const;
  /// Key of the backend that `key` stands for. Throws as resolve does where it is known that the
  /// backend is not available; does not start a device.
  const std::string& resolved_key(const std::string& key) const;

 private:
  const Entry& find(const std::string& key) const;
  std::shared_ptr<LazyBackend> push(std::string key, std::shared_ptr<LazyBackend> backend);

  std::vector<Entry> entries_;
  std::optional<std::size_t> limit_bytes_;
};

}  // namespace gantry
