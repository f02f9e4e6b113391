#pragma once

#include "core/io/files/file_parts.hpp"
#include "core/io/files/inflate.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// Opens bytes from a place on.
using OpenBytes = std::function<ByteSource(std::uint64_t first)>;

/// Deflated data that are read from any place on without being held as a whole. They are unpacked
/// in pieces: where each of these begins, the state of the unpacking is kept (40 kB) once it was
/// reached, and of the pieces those that were read last. Several threads may read at once, and
/// unpack different pieces at the same time where the states before them are known.
class InflatedBytes {
 public:
  /// `packed` opens the packed bytes; `where` names the file in messages. `piece_bytes` is the
  /// length of a piece, unpacked.
  InflatedBytes(OpenBytes packed, std::string where, Wrapper wrapper, std::size_t piece_bytes);
  /// Takes the packed bytes of all parts, one after the other, in pieces that suit their length.
  InflatedBytes(const std::vector<FilePart>& packed, std::string where,
                Wrapper wrapper = Wrapper::zlib_or_gzip);

  /// Returns a source of the unpacked bytes from `first` on, which ends where the data end or are
  /// cut short. It throws InputError where it reaches damaged data. It may outlive the object.
  ByteSource from(std::uint64_t first) const;
  /// Releases the pieces that are kept, but for the states.
  void release_pieces() const;

 private:
  class Pieces;
  std::shared_ptr<Pieces> pieces_;
};

}  // namespace gantry
