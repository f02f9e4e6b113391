#pragma once

#include <string>

namespace gantry {

/// A library of the CUDA toolkit, loaded when it is first needed: the program starts without it.
class SharedLibrary {
 public:
  /// `file`: "libcufft.so.12"; `what`: "cuFFT". Looks where the system looks, then in the toolkit
  /// that the program was built with.
  SharedLibrary(std::string file, std::string what);

  /// Sets `function` to the one of this name. Throws DeviceError that names the file to install.
  template <class Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  std::string file_, what_, problem_;
  void* handle_;  // kept to the end of the program
};

}  // namespace gantry
