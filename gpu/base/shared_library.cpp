#include "gpu/base/shared_library.hpp"

#include "gpu/base/check.hpp"

#include <dlfcn.h>
#include <utility>

namespace gantry {

SharedLibrary::SharedLibrary(std::string file, std::string what, std::string from)
    : file_(std::move(file)),
      what_(std::move(what)),
      from_(std::move(from)),
      handle_(dlopen(file_.c_str(), RTLD_NOW)) {
  if (handle_ == nullptr) problem_ = dlerror();
  if (handle_ == nullptr)
    handle_ = dlopen((std::string(GANTRY_CUDA_LIBRARIES "/") + file_).c_str(), RTLD_NOW);
}

void* SharedLibrary::symbol(const char* name) const {
  if (handle_ == nullptr)
    throw DeviceError(what_ + " cannot be loaded: " + problem_, {},
                      "install " + file_ + " of " + from_ + ", or do without");
  void* found = dlsym(handle_, name);
  if (found == nullptr)
    throw DeviceError(file_ + " has no function " + name, {},
                      "install the " + what_ + " that belongs to it, or do without");
  return found;
}

}  // namespace gantry
