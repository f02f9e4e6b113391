#pragma once

#include "core/io/files/atomic_file.hpp"
#include "core/io/files/data_seal.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace gantry {

/// Writes a header and the data file that it names, both in one folder, so that a reader finds
/// either the complete old pair or the complete new one, at whatever moment the writer is killed.
/// The data are written under a unique name, STEM.gantry-MARK.EXT. Renaming a header that names
/// this file makes the new pair the valid one. Afterwards the data get the plain name, and a second
/// header that names the plain name replaces the first. On a file system without hard links the
/// data keep the unique name.
class AtomicPair {
 public:
  /// Returns the text of a header for data with this file name, length and checksum.
  using HeaderText = std::function<std::string(const std::string& file, const DataSeal& seal)>;

  /// Creates both files; `data` is the plain name of the data. Throws OutputError if one of the
  /// files cannot be created; the old pair is then unchanged.
  AtomicPair(const std::filesystem::path& header, const std::filesystem::path& data,
             FileAccess access = FileAccess::usual);
  ~AtomicPair();
  AtomicPair(const AtomicPair&) = delete;
  AtomicPair& operator=(const AtomicPair&) = delete;

  /// Appends data. Throws OutputError.
  void write(std::span<const std::byte> bytes);

  /// Makes the new pair the valid one. Throws OutputError; the old pair is then still valid.
  void commit(const HeaderText& header_text);

 private:
  void create_data(FileAccess access);
  bool take_plain_name(const std::filesystem::path& unique, const std::filesystem::path& link_name,
                       const std::filesystem::path& folder, AtomicFile& last_header) const;

  std::filesystem::path header_path_, plain_, unique_;
  FileAccess access_;
  AtomicFile header_;
  int descriptor_ = -1;
  DataSeal seal_;
};

/// Returns whether `data` is the unique name of a pair whose data have the plain name `plain`.
bool is_unique_name_of(const std::filesystem::path& data, const std::filesystem::path& plain);

}  // namespace gantry
