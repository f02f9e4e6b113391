#include "core/base/error.hpp"
#include "core/io/files/leftovers.hpp"
#include "tests/fuzz/fuzzed_readers.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <typeinfo>
#include <unistd.h>

namespace gantry::test {

namespace fs = std::filesystem;

namespace {

std::string new_folder() {
  std::error_code error;
  const fs::path memory = "/dev/shm";
  const fs::path parent =
      access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path(error);
  const fs::path folder = parent / random_mark();
  if (!fs::create_directory(folder, error))
    throw std::runtime_error("no folder can be made: " + folder.string());
  return folder.string();
}

bool is_one_line(const std::string& text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

}  // namespace

FuzzedFile::FuzzedFile(const FuzzedReader& reader, const std::string& sources,
                       LibrariesRun libraries)
    : reader_(reader), folder_(new_folder()), path_(folder_ + "/" + reader.file) {
  if (libraries == LibrariesRun::in_the_test)
    setenv("GANTRY_DECODER", "none", 1);
  else
    unsetenv("GANTRY_DECODER");
  const fs::path beside = fs::path(sources) / "beside" / reader.key;
  if (fs::is_directory(beside)) fs::copy(beside, folder_, fs::copy_options::recursive);
}

FuzzedFile::~FuzzedFile() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::string FuzzedFile::fault_with(std::span<const std::uint8_t> bytes) {
  // No stream, whose buffers would cost more than the writing.
  const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool is_written =
      file >= 0 && write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (file >= 0) close(file);
  if (!is_written) throw std::runtime_error("cannot write " + path_);
  refusal_.clear();
  try {
    reader_.read(path_, bytes);
  } catch (const InputError& error) {
    refusal_ = error.what();
    if (!is_one_line(refusal_)) return "a message of several lines: " + refusal_;
  } catch (const std::exception& error) {
    return std::string("threw ") + typeid(error).name() + ": " + error.what();
  } catch (...) {
    return "threw what is no exception";
  }
  return {};
}

}  // namespace gantry::test
