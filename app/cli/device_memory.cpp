#include "app/cli/device_memory.hpp"

#include "core/backend/lazy_backend.hpp"
#include "core/base/byte_size.hpp"

namespace gantry::cli {

void add_device_memory(CLI::App& app, Program& program) {
  app.add_option_function<std::string>(
         "--device-memory",
         [&program](const std::string& text) {
           program.backends.limit_memory(parse_bytes(text, "--device-memory"));
         },
         "most to take of a GPU, as in 8GiB; larger runs are streamed")
      ->type_name("SIZE");
}

void require_device_memory(const CLI::App& app) {
  const CLI::Option* const option = app.get_option_no_throw("--device-memory");
  if (option != nullptr && option->count() == 0) memory_limit_of_environment();
}

}  // namespace gantry::cli
