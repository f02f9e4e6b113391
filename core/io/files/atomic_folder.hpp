#pragma once

#include "core/io/files/atomic_file.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace gantry {

/// A new folder, with files of the given access, that appears under its name whole or not at all:
/// its files are written into a hidden folder beside the target, which commit() exchanges with the
/// target. Without commit() nothing is left; what a killed writer leaves is removed by the next one
/// in the parent folder.
class AtomicFolder {
 public:
  /// Throws OutputError when the folder cannot be made.
  explicit AtomicFolder(const std::filesystem::path& target, FileAccess access = FileAccess::usual);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// Throws OutputError when the disk is full or the like.
  void write_file(const std::string& name, std::span<const std::byte> bytes);

  /// Puts the folder in place; one that is there already is replaced, files and all: the caller has
  /// made sure that it may be. Throws OutputError; the old folder is then still there. On a file
  /// system that cannot exchange two names, a writer killed within a rename leaves the old folder
  /// hidden; the next writer gives it its name back.
  void commit();

 private:
  void replace_in_two_steps();

  std::filesystem::path shown_, target_, temporary_;
  FileAccess access_;
  int descriptor_ = -1;  ///< of the hidden folder: its lock says that the writer lives
};

}  // namespace gantry
