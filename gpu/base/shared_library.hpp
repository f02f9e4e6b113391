#pragma once

#include <string>

namespace gantry {

/// A library of the CUDA toolkit or the driver, loaded when it is first needed: the program starts
/// without it.
class SharedLibrary {
 public:
  /// `file`: "libcufft.so.12"; `what`: "cuFFT"; `from` is what it comes with. Looks where the
  /// system looks, then in the toolkit that the program was built with.
  SharedLibrary(std::string file, std::string what, std::string from = "the CUDA toolkit");

  /// Becomes a pointer to a function of whichever type it is assigned to.
  struct Function {
    void* address;
    template <class Type>
    operator Type*() const {
      return reinterpret_cast<Type*>(address);
    }
  };
  /// The function of this name. Throws DeviceError that names the file to install.
  Function find(const char* name) const { return {symbol(name)}; }

 private:
  void* symbol(const char* name) const;

  std::string file_, what_, from_, problem_;
  void* handle_;  // kept to the end of the program
};

}  // namespace gantry
