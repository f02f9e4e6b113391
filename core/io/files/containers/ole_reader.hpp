#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gantry {

/// A compound file that libgsf reads in this process, which ends where the library gets no memory.
/// Functions are those of OleFile.
class OleReader {
 public:
  explicit OleReader(const std::string& path);
  ~OleReader();
  OleReader(const OleReader&) = delete;
  OleReader& operator=(const OleReader&) = delete;

  std::optional<std::uint64_t> bytes_of(const std::string& stream) const;
  void read(const std::string& stream, std::span<std::byte> bytes) const;

 private:
  struct Impl;
  std::string path_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry
