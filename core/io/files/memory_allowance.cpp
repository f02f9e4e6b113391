#include "core/io/files/memory_allowance.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace gantry {

namespace {

constexpr std::size_t times_the_file = 20;
std::atomic<std::size_t> for_any_file = 256'000'000;
constexpr const char* remedy =
    "copy the file again from where it came, or set GANTRY_ALLOW_LARGE=1 if it is known to be "
    "sound";

}  // namespace

bool large_files_confirmed() {
  const char* value = std::getenv("GANTRY_ALLOW_LARGE");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

void confirm_large_files(bool confirmed) { setenv("GANTRY_ALLOW_LARGE", confirmed ? "1" : "0", 1); }

void set_memory_for_any_file(std::size_t bytes) { for_any_file = bytes; }

std::size_t allowed_memory(std::size_t file_bytes) {
  const std::size_t free_bytes = for_any_file;
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  if (large_files_confirmed() || file_bytes > (most - free_bytes) / times_the_file) return most;
  return times_the_file * file_bytes + free_bytes;
}

void require_allowed_memory(const std::string& claim, std::size_t needed, std::size_t file_bytes,
                            const std::string& where) {
  if (needed <= allowed_memory(file_bytes)) return;
  throw InputError(claim + ", which would take " + format_bytes(needed) + " of memory, more than " +
                       std::to_string(times_the_file) + " times the file and " +
                       format_bytes(for_any_file),
                   where, remedy);
}

InputError memory_exceeded(const std::string& where) {
  return InputError("needs more memory than is allowed for a file of its size, or than is free",
                    where, remedy);
}

}  // namespace gantry
