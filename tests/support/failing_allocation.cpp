// A library to be loaded before a program (LD_PRELOAD): one request for memory, the one of the
// number that the environment variable FAILING_ALLOCATION holds, is refused, all others are served.
// With FAILING_ALLOCATION_COUNT the number of requests is written to the file of that name when the
// program ends.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// The C library's own functions, under the names that it keeps for those who take the others'
// place.
extern "C" {
void* __libc_malloc(std::size_t bytes);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t bytes);        // NOLINT
void* __libc_realloc(void* memory, std::size_t bytes);            // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t bytes);  // NOLINT
}

namespace {

std::atomic<long> requests{0}, refused{-1};

/// Read when the first request comes, which is before any constructor runs.
long number_to_refuse() {
  if (refused.load() < 0) {
    const char* text = std::getenv("FAILING_ALLOCATION");
    refused = text == nullptr ? 0 : std::atol(text);
  }
  return refused;
}

bool is_refused() {
  if (++requests != number_to_refuse()) return false;
  errno = ENOMEM;
  return true;
}

__attribute__((destructor)) void report() {
  const long count = requests;
  if (const char* path = std::getenv("FAILING_ALLOCATION_COUNT"))
    if (std::FILE* file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld", count);
      std::fclose(file);
    }
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) { return is_refused() ? nullptr : __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t bytes) {
  return is_refused() ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  return is_refused() ? nullptr : __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return is_refused() ? nullptr : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"
