#pragma once

#include "core/io/files/atomic_file.hpp"
#include "core/io/files/data_seal.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace gantry {

/// A header and the data file that it names, in one folder, replaced as one: a reader finds the old
/// pair or the new one whenever the writer is killed. The data are written under a unique name,
/// STEM.gantry-MARK.EXT; renaming the header that names them is what makes the new pair the valid
/// one. Afterwards the data get the plain name and the header says so. Where the file system has no
/// hard links the data keep the unique name.
class AtomicPair {
 public:
  /// The text of a header for data under this file name, of this length and checksum.
  using HeaderText = std::function<std::string(const std::string& file, const DataSeal& seal)>;

  /// Creates both; `data` is the plain name of the data. Throws OutputError where one cannot be
  /// written; nothing is changed then.
  AtomicPair(const std::filesystem::path& header, const std::filesystem::path& data,
             FileAccess access = FileAccess::usual);
  ~AtomicPair();
  AtomicPair(const AtomicPair&) = delete;
  AtomicPair& operator=(const AtomicPair&) = delete;

  /// Appends data. Throws OutputError.
  void write(std::span<const std::byte> bytes);

  /// Makes the new pair the valid one. Throws OutputError; the old pair is then still there.
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

/// Whether `data` is the unique name of a pair whose plain data name is `plain`.
bool is_unique_name_of(const std::filesystem::path& data, const std::filesystem::path& plain);

}  // namespace gantry
