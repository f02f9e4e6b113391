#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace gantry {

/// An error a user can act on. what() is one line: what is wrong, where, and what to do about it.
class Error : public std::runtime_error {
 public:
  /// `where` names a file, field or parameter; `remedy` says what would help. Either may be empty.
  explicit Error(const std::string& what, const std::string& where = {},
                 const std::string& remedy = {});
};

/// A file or a value in it cannot be used as it is.
class InputError : public Error {
  using Error::Error;
};

/// A file could not be written; what was there before is untouched.
class OutputError : public Error {
  using Error::Error;
};

/// A parameter, option or combination of choices that cannot work.
class UsageError : public Error {
  using Error::Error;
};

/// Operands that do not fit together: a defect of the caller, not of the user's data.
class ShapeError : public Error {
  using Error::Error;
};

/// More memory was asked for than there is.
class OutOfMemory : public Error {
 public:
  OutOfMemory(const std::string& purpose, std::size_t needed_bytes, std::size_t free_bytes);
  /// Where it is not known how much was needed.
  OutOfMemory(const std::string& purpose, std::size_t free_bytes);
  std::size_t needed_bytes() const { return needed_bytes_; }  ///< 0: not known
  std::size_t free_bytes() const { return free_bytes_; }

 private:
  std::size_t needed_bytes_, free_bytes_;
};

/// 1.5 GB, 340 kB: decimal units, three significant digits.
std::string format_bytes(std::size_t bytes);

}  // namespace gantry
