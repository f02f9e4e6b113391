#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace gantry {

/// An error that a user can act on. what() is one line: what is wrong, where, and what to do.
class Error : public std::runtime_error {
 public:
  /// `where` names a file, field or parameter; `remedy` says what would help. Either may be empty.
  explicit Error(const std::string& what, const std::string& where = {},
                 const std::string& remedy = {});
};

/// A file, or a value in a file, cannot be used as it is.
class InputError : public Error {
  using Error::Error;
};

/// A file could not be written; a file that was there before is unchanged.
class OutputError : public Error {
  using Error::Error;
};

/// A parameter, an option or a combination of choices cannot work.
class UsageError : public Error {
  using Error::Error;
};

/// Operands do not fit together: a defect of the calling code, not of the user's data.
class ShapeError : public Error {
  using Error::Error;
};

/// More memory was requested than is free.
class OutOfMemory : public Error {
 public:
  OutOfMemory(const std::string& purpose, std::size_t needed_bytes, std::size_t free_bytes);
  /// Describes a request of unknown size.
  OutOfMemory(const std::string& purpose, std::size_t free_bytes);
  std::size_t needed_bytes() const { return needed_bytes_; }  ///< 0: not known
  std::size_t free_bytes() const { return free_bytes_; }

 private:
  std::size_t needed_bytes_, free_bytes_;
};

/// Returns a number of bytes as text, "1.50 GB" or "340 kB": decimal units and three significant
/// digits.
std::string format_bytes(std::size_t bytes);

}  // namespace gantry
