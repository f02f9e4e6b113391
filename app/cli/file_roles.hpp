#pragma once

#include <string>
#include <vector>

namespace gantry::cli {

/// The files that a command is asked to read and to write, with all that belongs to them: the data
/// of a scan, both files of a MetaImage pair, every file of a DICOM folder. Asked before anything
/// is computed, so that no output takes the place of an input or of another output.
class FileRoles {
 public:
  /// A scan, volume, folder or other file; nothing where `path` is empty. `option` is how the
  /// command calls it, for messages.
  void reads(const std::string& path, const std::string& option);
  /// A single file (curves, tables), a scan with its data, a volume of any kind.
  void writes_file(const std::string& path, const std::string& option);
  void writes_scan(const std::string& path, const std::string& option);
  void writes_volume(const std::string& path, const std::string& option);

  /// Throws UsageError where two roles share a file, by name, link or folder.
  void require_apart() const;

 private:
  struct Role {
    std::string path, option;
    bool replaces_folder = false;
  };
  void require_apart(const Role& output, const Role& other) const;

  std::vector<Role> inputs_;
  std::vector<std::vector<Role>> outputs_;  ///< what one option writes, together
};

}  // namespace gantry::cli
