#pragma once

#include "core/backend/backend.hpp"
#include "core/backend/energy_counter.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// The backends of this program and machine. Filled once by the composition root.
class BackendList {
 public:
  struct Entry {
    std::string key;                                   ///< "cpu", "cuda"
    std::string name;                                  ///< "CPU, 8 threads", "NVIDIA H200"
    std::unique_ptr<Backend> backend;                  ///< null when unavailable
    std::string unavailable_because;                   ///< "no CUDA device was found"
    std::unique_ptr<const EnergyCounter> energy = {};  ///< null where there is none
    std::string no_energy_because = "no counter of this backend is known";
  };

  /// Under the backend's own name, or another.
  void add(std::string key, std::unique_ptr<Backend> backend, std::string name = {});
  void add_unavailable(std::string key, std::string name, std::string because);
  /// Of a backend that is there: its counter, or why there is none.
  void add_energy(const std::string& key, std::unique_ptr<const EnergyCounter> counter,
                  std::string because = {});
  const std::vector<Entry>& entries() const { return entries_; }
  /// Those of another kind than the CPU that are available, in the order of adding.
  std::vector<const Entry*> devices() const;

  /// The backend of this key; "auto" is the first available one, in the order of adding: for what
  /// belongs to no run. A run's is found by plan_run (core/job), which knows whether it fits.
  /// Throws UsageError saying why a backend is not available, or what there is.
  Backend& resolve(const std::string& key) const;
  /// The counter of a backend as of resolve; null where it has none, and then why.
  const EnergyCounter* energy(const std::string& key, std::string& because) const;
  /// Key of the backend that `key` stands for.
  const std::string& resolved_key(const std::string& key) const;

 private:
  const Entry& find(const std::string& key) const;
  std::vector<Entry> entries_;
};

}  // namespace gantry
