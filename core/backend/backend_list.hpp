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

/// The key of the backend that computes on the CPU with data in host memory, without a device.
inline constexpr const char* host_key = "cpu";

/// The backends of this program on this machine. The composition root fills the list once. A device
/// is started when something is computed on it, and not before.
class BackendList {
 public:
  /// Makes the energy counter of a backend. Throws Error, with the reason, if there is none.
  using MakeEnergyCounter = std::function<std::unique_ptr<const EnergyCounter>()>;

  /// The maker of an energy counter, and the counter once it is made.
  struct Energy;

  struct Entry {
    std::string key;   ///< "cpu", "cuda"
    std::string name;  ///< "CPU, 8 threads", "NVIDIA H200"
    std::shared_ptr<LazyBackend> backend;
    std::shared_ptr<Energy> energy = {};  ///< null if no counter is known
    int multiprocessors = 0;              ///< of a GPU, for estimates of memory; 0: none

    BackendKind kind() const { return backend->kind(); }
    bool available() const { return backend->available(); }
  };

  /// Adds a backend that exists already, under `name` or else under its own name.
  void add(std::string key, std::unique_ptr<Backend> backend, std::string name = {});
  /// Adds a backend that `make` makes when it is first needed. Returns the LazyBackend of the new
  /// entry, for other backends that use this one.
  std::shared_ptr<LazyBackend> add_lazily(std::string key, BackendKind kind, std::string name,
                                          LazyBackend::Make make, int multiprocessors = 0);
  /// Adds an entry for a backend that cannot be used, with the reason.
  void add_unavailable(std::string key, std::string name, std::string because);
  /// Adds an energy counter to a backend that is in the list. `make` is called by the first
  /// energy().
  void add_energy(const std::string& key, MakeEnergyCounter make);
  const std::vector<Entry>& entries() const { return entries_; }
  /// Returns the available entries of another kind than the CPU, in the order of adding.
  std::vector<const Entry*> devices() const;
  /// Limits the memory of all backends that are in the list or will be added; see Backend.
  void limit_memory(std::size_t bytes);

  /// Returns the backend of this key. "auto" is the first entry that is available and not lost, in
  /// the order of adding, for computations that belong to no run; the backend of a run is chosen by
  /// plan_run (core/job), which considers the memory that the run needs. Throws UsageError with the
  /// reason why a backend is not available, or with the keys in the list.
  Backend& resolve(const std::string& key) const;
  /// Returns the energy counter of the backend that `key` stands for. Null if there is none;
  /// `because` is then the reason. Throws as resolved_key does.
  const EnergyCounter* energy(const std::string& key, std::string& because) const;
  /// Returns the key of the backend that `key` stands for, without starting a device. Throws like
  /// resolve for an unknown key or a backend that is known not to be available.
  const std::string& resolved_key(const std::string& key) const;
  /// Returns the entry that `key` stands for. Throws as resolved_key does.
  const Entry& entry(const std::string& key) const { return find(resolved_key(key)); }

 private:
  const Entry& find(const std::string& key) const;
  std::shared_ptr<LazyBackend> push(std::string key, std::shared_ptr<LazyBackend> backend);

  std::vector<Entry> entries_;
  std::optional<std::size_t> limit_bytes_;
};

}  // namespace gantry
