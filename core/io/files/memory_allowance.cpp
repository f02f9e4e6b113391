#include "core/io/files/memory_allowance.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace gantry {

namespace {

constexpr std::size_t times_the_file = 20;
std::atomic<std::size_t> for_any_file = 256'000'000;
constexpr const char* usual_way = "set GANTRY_ALLOW_LARGE=1";
enum class Confirmed { by_variable, yes, no };
std::atomic<Confirmed> confirmed_by_program = Confirmed::by_variable;

std::string& way_to_confirm() {
  static std::string way = usual_way;
  return way;
}

}  // namespace

bool large_files_confirmed() {
  const Confirmed now = confirmed_by_program;
  if (now != Confirmed::by_variable) return now == Confirmed::yes;
  const char* value = std::getenv("GANTRY_ALLOW_LARGE");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

void confirm_large_files(bool confirmed) {
  confirmed_by_program = confirmed ? Confirmed::yes : Confirmed::no;
}

void set_way_to_confirm_large_files(const std::string& way) { way_to_confirm() = way; }

std::string large_file_remedy() {
  return "copy the file again from where it came, or " + way_to_confirm() +
         " if it is known to be sound";
}

std::string with_own_way_to_confirm(std::string text) {
  const std::string usual = usual_way;
  if (const std::size_t at = text.find(usual); at != std::string::npos)
    text.replace(at, usual.size(), way_to_confirm());
  return text;
}

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
                   where, large_file_remedy());
}

InputError memory_exceeded(const std::string& where) {
  return InputError("needs more memory than is allowed for a file of its size, or than is free",
                    where, large_file_remedy());
}

}  // namespace gantry
