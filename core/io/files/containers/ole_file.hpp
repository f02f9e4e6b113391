#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gantry {

/// A compound file (OLE 2, [MS-CFB]) that is open for reading: named streams of bytes in folders.
/// Names are compared without regard to case, as the format has it. The file is read in a process
/// of its own (gantry-decoder), since libgsf and libglib end the program where they get no memory,
/// or in this process where GANTRY_DECODER=none asks for that. Functions throw InputError, which
/// names the file and the stream. Several threads may call them: one at a time reads.
class OleFile {
 public:
  explicit OleFile(const std::string& path);
  ~OleFile();
  OleFile(const OleFile&) = delete;
  OleFile& operator=(const OleFile&) = delete;

  const std::string& path() const { return path_; }
  /// Returns the number of bytes of a stream, "ImageInfo/Angles"; nothing where there is none.
  std::optional<std::uint64_t> bytes_of(const std::string& stream) const;
  /// Reads the first bytes of a stream. Throws where it has fewer, or does not exist.
  void read(const std::string& stream, std::span<std::byte> bytes) const;

 private:
  struct Impl;
  std::string path_;
  std::unique_ptr<Impl> impl_;
};

/// Returns whether a file that begins with these bytes is a compound file.
bool begins_ole(std::string_view start);

}  // namespace gantry
