#include "core/worker/error_text.hpp"

#include <new>

namespace gantry {

std::string text_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "the system has no memory left; use a smaller grid or fewer views";
  return error.what();
}

}  // namespace gantry
