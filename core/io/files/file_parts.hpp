#pragma once

#include "core/base/interrupt.hpp"
#include "core/io/files/raw_numbers.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

/// Successive bytes of a file.
struct FilePart {
  std::string path;
  std::uintmax_t start = 0, bytes = 0;
};

/// Returns a source of the bytes of all parts, one after the other, from byte `first` on. Files are
/// opened when their bytes are asked for; the source ends where a file is shorter than its part. It
/// throws InputError with the system's reason for a file that cannot be opened or read.
ByteSource bytes_in(std::vector<FilePart> parts, std::uintmax_t first = 0);

/// Returns a source that delivers what another one does, and throws Interrupted once the reading is
/// interrupted. `interrupt` may be null, and must outlive the source.
ByteSource interruptible(ByteSource source, const Interrupt* interrupt);

/// Returns the parts, or those parts of them, in which `bytes` bytes from byte `first` on lie.
std::vector<FilePart> parts_within(const std::vector<FilePart>& parts, std::uintmax_t first,
                                   std::uintmax_t bytes);

/// Returns the size of a regular file. Throws InputError if there is none, or it cannot be read.
std::uintmax_t length_of_file(const std::string& path);

/// Returns the part of a file from `start` to its end. Throws InputError as length_of_file() does.
FilePart rest_of_file(const std::string& path, std::uintmax_t start = 0);

}  // namespace gantry
