#pragma once

#include "core/io/files/raw_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gantry {

/// What stands around deflated data.
enum class Wrapper {
  zlib_or_gzip,  ///< which of them, by the first bytes
  none           ///< no header and no checksum
};

/// Unpacks deflated data as they are read.
class Inflater {
 public:
  /// `where` names the file in messages.
  Inflater(ByteSource packed, std::string where, Wrapper wrapper = Wrapper::zlib_or_gzip);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Fills the span; returns how many bytes there were, less only where the data end or are cut
  /// short. Throws InputError for damaged data.
  std::size_t read(std::span<std::byte> out);

  /// Whether the data have ended as they should, with a checksum (where there is one) that agrees.
  bool ended() const;
  /// Packed bytes that were used so far.
  std::uintmax_t used() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry
