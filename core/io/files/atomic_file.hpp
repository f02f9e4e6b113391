#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace gantry {

/// Access to new files: the bits of the file mode that are withheld in addition to those of the
/// umask.
enum class FileAccess : unsigned {
  usual = 0,     ///< no further bits: the umask alone decides
  owner = 0077,  ///< access for the owner alone, for data of patients
};

/// Returns the access that withholds all bits that `a` or `b` withholds.
FileAccess stricter(FileAccess a, FileAccess b);

/// Returns the access for files that are made from the data of `file`: the group, or all others,
/// must not read the new files unless they may read `file`. `usual` if there is no such file.
FileAccess access_of(const std::filesystem::path& file);

/// Return the modes of new files and folders, before the umask is applied.
unsigned file_mode(FileAccess access);
unsigned folder_mode(FileAccess access);

/// Writes a file so that a reader sees either the old file or the complete new one. Bytes go to a
/// hidden temporary file in the folder of the target; commit() flushes this file to the disk and
/// renames it to the target. Without commit() the temporary file is removed and the target stays
/// unchanged. The temporary file of a writer that was killed is removed by the next writer in the
/// same folder.
class AtomicFile {
 public:
  /// Creates the temporary file. An existing target must be a regular file and keeps its mode; a
  /// symbolic link is followed. Throws OutputError (no such folder, no permission, disk full, ...).
  explicit AtomicFile(const std::filesystem::path& target, FileAccess access = FileAccess::usual);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends bytes. Throws OutputError.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// Flushes what was written to the disk, so that commit() no longer needs space. Throws
  /// OutputError. Nothing may be written afterwards.
  void finish();
  /// Replaces the target by the new file, which is finished before. Throws OutputError.
  void commit();

 private:
  [[noreturn]] void fail(const std::string& action, int error_number);
  void discard() noexcept;

  std::filesystem::path target_, folder_, temporary_;
  int descriptor_ = -1;
  bool is_finished_ = false;
};

/// Writes all of `bytes` as one file, atomically. Throws OutputError.
void write_file_atomically(const std::filesystem::path& target, std::span<const std::byte> bytes,
                           FileAccess access = FileAccess::usual);

/// Throws OutputError unless a file of this name can be written: the name is neither empty nor too
/// long, and belongs to no file yet or to a regular file.
void require_file_name(const std::filesystem::path& target);

}  // namespace gantry
