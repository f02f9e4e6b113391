#pragma once

#include "core/io/files/raw_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gantry {

/// The format around deflated data.
enum class Wrapper {
  zlib_or_gzip,  ///< detected from the first bytes
  none           ///< no header and no checksum
};

/// Unpacks deflated data while reading: of gzip, all members, as programs write that pack in parts.
class Inflater {
 public:
  /// `packed` delivers the packed bytes; `where` names the file in messages.
  Inflater(ByteSource packed, std::string where, Wrapper wrapper = Wrapper::zlib_or_gzip);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Fills the span with unpacked bytes. Returns their number, which is smaller than the span only
  /// where the data end or are cut short. Throws InputError for damaged data.
  std::size_t read(std::span<std::byte> out);

  /// Returns an unpacker that goes on from here, while this one keeps its place. `packed` delivers
  /// the packed bytes behind those of used(); without it the copy is one to go on from alone, which
  /// takes some 40 kB.
  std::unique_ptr<Inflater> continued(ByteSource packed) const;

  /// Returns whether the end of the packed data was reached, with a matching checksum if there is
  /// one.
  bool ended() const;
  /// Returns the number of packed bytes used so far.
  std::uintmax_t used() const;

 private:
  struct State;
  explicit Inflater(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Returns a source of unpacked bytes, of which `skipped` were passed over.
ByteSource unpacking(ByteSource packed, std::string where, Wrapper wrapper = Wrapper::zlib_or_gzip,
                     std::uintmax_t skipped = 0);

}  // namespace gantry
