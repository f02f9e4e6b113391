#include "core/catalog/catalog.hpp"
#include "core/job/experiment_file.hpp"
#include "tests/fuzz/fuzzed_parts.hpp"

namespace gantry::test {

namespace {

using Bytes = std::span<const std::uint8_t>;

const Catalog& catalog() {
  static const Catalog catalog = [] {
    Catalog made;
    add_core(made);
    return made;
  }();
  return catalog;
}

void read_as_experiment(const std::string& path, Bytes) { read_experiment(path, catalog()); }

}  // namespace

std::vector<FuzzedReader> fuzzed_job_readers() {
  return {{"experiment", "e.json", 4096, read_as_experiment}};
}

}  // namespace gantry::test
