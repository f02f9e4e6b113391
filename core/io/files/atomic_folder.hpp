#pragma once

#include "core/io/files/atomic_file.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace gantry {

/// Writes a folder so that a reader sees either the old folder, or none, or the complete new one.
/// The files, of the given access, are written into a hidden folder beside the target; commit()
/// exchanges both folders. Without commit() the hidden folder is removed. The hidden folder of a
/// writer that was killed is removed by the next writer in the parent folder.
class AtomicFolder {
 public:
  /// Creates the hidden folder. Throws OutputError.
  explicit AtomicFolder(const std::filesystem::path& target, FileAccess access = FileAccess::usual);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// Writes a new file into the folder. Throws OutputError, for example if the disk is full.
  void write_file(const std::string& name, std::span<const std::byte> bytes);

  /// Makes the new folder the target. An existing target is replaced with all its files, so the
  /// caller must have made sure that it may be. Throws OutputError; the old folder is then still
  /// there. On a file system that cannot exchange two names, a writer that is killed between two
  /// renamings leaves the old folder under a hidden name; the next writer in the parent folder
  /// restores its name.
  void commit();

 private:
  void replace_in_two_steps();

  std::filesystem::path shown_, target_, temporary_;
  FileAccess access_;
  int descriptor_ = -1;  ///< of the hidden folder; its lock shows that the writer is alive
};

}  // namespace gantry
