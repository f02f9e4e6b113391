// libFuzzer's program for all readers: the environment variable GANTRY_FUZZ_READER names the one
// to fuzz. tests/fuzz/run calls it.
#include "tests/fuzz/fuzzed_readers.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

using gantry::test::find_fuzzed_reader;
using gantry::test::FuzzedFile;

std::unique_ptr<FuzzedFile> file;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {  // NOLINT
  const char* key = std::getenv("GANTRY_FUZZ_READER");
  const auto* reader = find_fuzzed_reader(key == nullptr ? "" : key);
  if (reader == nullptr) {
    std::fputs("set GANTRY_FUZZ_READER to one of:", stderr);
    for (const auto& one : gantry::test::fuzzed_readers())
      std::fprintf(stderr, " %s:%d", one.key.c_str(), one.most_bytes);
    std::fputs("\n", stderr);
    std::_Exit(2);
  }
  file = std::make_unique<FuzzedFile>(*reader, GANTRY_FUZZ_SOURCES);
  std::atexit([] { file.reset(); });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  const std::string fault = file->fault_with({data, size});
  if (!fault.empty()) {
    std::fprintf(stderr, "FAULT: %s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
