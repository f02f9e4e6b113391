#pragma once

#include "core/io/files/decoder/wire.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace gantry {

/// The file in memory to which the decoder writes results, for the other program to read. The file
/// only grows. Functions throw std::bad_alloc.
class DecoderResults {
 public:
  /// Returns the first `bytes` bytes of the file; makes the file larger where necessary.
  std::span<std::byte> room(std::size_t bytes);
  void write(const void* data, std::size_t bytes);
  /// Writes bytes and returns the answer that hands them over.
  wire::Answer packed(const std::string& bytes);

 private:
  std::span<std::byte> room_;
};

/// The part of the decoder that reads files of one kind, one at a time.
class DecoderPart {
 public:
  DecoderPart() = default;
  virtual ~DecoderPart() = default;
  DecoderPart(const DecoderPart&) = delete;
  DecoderPart& operator=(const DecoderPart&) = delete;

  /// Answers a request with its text. Throws InputError and UsageError, which are passed on.
  virtual wire::Answer answer(const wire::Request& request, const std::string& text,
                              DecoderResults& results) = 0;
};

}  // namespace gantry
