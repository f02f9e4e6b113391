// libFuzzer's program for all readers: the environment variable GANTRY_FUZZ_READER names the one
// to fuzz, GANTRY_FUZZ_DECODER the program gantry-decoder where the foreign libraries shall run in
// it, as for users. tests/fuzz/run calls it.
#include "core/io/files/memory_allowance.hpp"
#include "tests/fuzz/fuzzed_readers.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace {

using gantry::test::find_fuzzed_reader;
using gantry::test::FuzzedFile;
using gantry::test::LibrariesRun;

std::unique_ptr<FuzzedFile> file;

/// Grants most inputs far less memory than the program would: the sanitizer marks each byte that
/// an input claims, and that takes longer than reading it. One input in 32 gets half of what the
/// program grants; which one follows from its bytes, so that a finding can be repeated.
void grant_memory(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t little = 4'000'000, much = 128'000'000;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  gantry::set_memory_for_any_file(std::hash<std::string_view>()(bytes) % 32 == 0 ? much : little);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {  // NOLINT
  const char* key = std::getenv("GANTRY_FUZZ_READER");
  const auto* reader = find_fuzzed_reader(key == nullptr ? "" : key);
  if (reader == nullptr) {
    std::fputs("set GANTRY_FUZZ_READER to one of:", stderr);
    for (const auto& one : gantry::test::fuzzed_readers())
      std::fprintf(stderr, " %s:%d%s", one.key.c_str(), one.most_bytes,
                   one.needs_decoder ? ":decoder" : "");
    std::fputs("\n", stderr);
    std::_Exit(2);
  }
  const char* decoder = std::getenv("GANTRY_FUZZ_DECODER");
  file = std::make_unique<FuzzedFile>(
      *reader, GANTRY_FUZZ_SOURCES,
      decoder == nullptr ? LibrariesRun::in_the_test : LibrariesRun::in_the_decoder);
  if (decoder != nullptr) setenv("GANTRY_DECODER", decoder, 1);
  std::atexit([] { file.reset(); });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  grant_memory(data, size);
  const std::string fault = file->fault_with({data, size});
  if (!fault.empty()) {
    std::fprintf(stderr, "FAULT: %s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
