#pragma once

#include <string>

namespace gantry {

/// A library of the CUDA toolkit or the driver, loaded at run time, so that the program also starts
/// where the library is not installed.
class SharedLibrary {
 public:
  /// Loads `file` ("libcufft.so.12") by the search rules of the system, otherwise from the toolkit
  /// that the program was built with. `what` ("cuFFT") and `from` (the product that contains the
  /// library) appear in messages. Never throws: find() reports a failure.
  SharedLibrary(std::string file, std::string what, std::string from = "the CUDA toolkit");

  /// The address of a function, converted to the function type that it is assigned to.
  struct Function {
    void* address;
    template <class Type>
    operator Type*() const {
      return reinterpret_cast<Type*>(address);
    }
  };
  /// Returns the function of this name. Throws DeviceError that names the file to install.
  Function find(const char* name) const { return {symbol(name)}; }

 private:
  void* symbol(const char* name) const;

  std::string file_, what_, from_, problem_;
  void* handle_;  // loaded until the program ends
};

}  // namespace gantry
