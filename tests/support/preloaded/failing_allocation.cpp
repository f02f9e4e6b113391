// A library to be loaded before a program (LD_PRELOAD): one request for memory, the one of the
// number that the environment variable FAILING_ALLOCATION holds, is refused, all others are served.
// Requests are numbered from 1 at the start of main(): constructors of shared libraries and of
// global objects run before, where no program can catch a refusal. The decoder
// that a program starts is served as usual. So is DCMTK while it loads its dictionary, and without
// a number: it copies strings to where malloc() says and does not look, which no program can catch.
// With FAILING_ALLOCATION_COUNT the number of requests is written to the file of that name when the
// program ends.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

// The C library's own functions, under the names that it keeps for those who take the others'
// place.
extern "C" {
void* __libc_malloc(std::size_t bytes);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t bytes);        // NOLINT
void* __libc_realloc(void* memory, std::size_t bytes);            // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t bytes);  // NOLINT
}

namespace {

using Main = int (*)(int, char**, char**);

std::atomic<bool> counting{false};
std::atomic<long> requests{0};
long number_to_refuse = 0;  ///< 0: none
Main program_main = nullptr;

thread_local bool is_served = false;

bool is_refused() {
  if (!counting || is_served || ++requests != number_to_refuse) return false;
  errno = ENOMEM;
  return true;
}

int counted_main(int argc, char** argv, char** environment) {
  if (const char* text = std::getenv("FAILING_ALLOCATION")) number_to_refuse = std::atol(text);
  counting = argc > 0 && std::strstr(argv[0], "gantry-decoder") == nullptr;
  return program_main(argc, argv, environment);
}

__attribute__((destructor)) void report() {
  const long count = requests;
  if (count == 0) return;
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

/// DcmDataDictionary::reloadDictionaries(bool, bool)
bool _ZN17DcmDataDictionary18reloadDictionariesEbb(void* dictionary, bool built_in,  // NOLINT
                                                   bool external) {
  using Reload = bool (*)(void*, bool, bool);
  static const auto reload =
      reinterpret_cast<Reload>(dlsym(RTLD_NEXT, "_ZN17DcmDataDictionary18reloadDictionariesEbb"));
  is_served = true;
  const bool is_loaded = reload(dictionary, built_in, external);
  is_served = false;
  return is_loaded;
}

/// The C library's start of a program, which runs the constructors and then main().
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {  // NOLINT
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  program_main = main;
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

}  // extern "C"
