#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace gantry {

/// Who may read a new file: the bits of its mode that are withheld, beside those of the umask.
enum class FileAccess : unsigned {
  usual = 0,     ///< as the process makes files (umask)
  owner = 0077,  ///< the owner alone: what comes from patients
};

/// What both allow.
FileAccess stricter(FileAccess a, FileAccess b);

/// Who may read what is made from a file: nobody but its owner who may not read the file itself.
FileAccess access_of(const std::filesystem::path& file);

/// The modes of new files and folders, before the umask.
unsigned file_mode(FileAccess access);
unsigned folder_mode(FileAccess access);

/// Writes a file so that a reader sees the old one or the whole new one, never a part.
/// Bytes go to a hidden temporary file in the target's folder; commit() brings them to the disk and
/// renames. Without commit() the temporary file is removed and the target stays as it was; that of
/// a writer that was killed is removed by the next one in that folder.
class AtomicFile {
 public:
  /// Creates the temporary file. An existing target keeps its access and must be a regular file; a
  /// symbolic link is
  /// followed. Throws OutputError (no such folder, no permission, disk full, ...).
  explicit AtomicFile(const std::filesystem::path& target, FileAccess access = FileAccess::usual);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends bytes. Throws OutputError.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// Makes the new file the target. Throws OutputError. Nothing may be written afterwards.
  void commit();

 private:
  [[noreturn]] void fail(const std::string& action, int error_number);
  void discard() noexcept;

  std::filesystem::path target_, folder_, temporary_;
  int descriptor_ = -1;
};

/// Writes all of `bytes` as one file, atomically. Throws OutputError.
void write_file_atomically(const std::filesystem::path& target, std::span<const std::byte> bytes,
                           FileAccess access = FileAccess::usual);

/// Throws OutputError unless a file of this name can be written: there is nothing, or a regular
/// file, and the name is not too long.
void require_file_name(const std::filesystem::path& target);

}  // namespace gantry
