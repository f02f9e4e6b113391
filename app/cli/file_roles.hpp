#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace gantry::cli {

/// The files that a command reads and writes, including the data file of a scan, both files of a
/// MetaImage pair, and every file of a DICOM folder. Commands check them before they compute
/// anything, so that no output overwrites an input or another output.
class FileRoles {
 public:
  /// Adds an input: a scan, volume, folder or other file; nothing if `path` is empty. `option`
  /// names the input in messages.
  void reads(const std::string& path, const std::string& option);
  /// Add an output: a single file (curves, tables), a scan with its data, a volume in any format.
  void writes_file(const std::string& path, const std::string& option);
  void writes_scan(const std::string& path, const std::string& option);
  void writes_volume(const std::string& path, const std::string& option);

  /// Throws UsageError if an output is the same file as an input or as an output of another option,
  /// or if its folder, which will be replaced, contains that file.
  void require_distinct() const;

 private:
  struct Role {
    std::string path, option;
    bool replaces_folder = false;
  };
  void require_distinct(const Role& output, const Role& other) const;

  std::vector<Role> inputs_;
  std::vector<std::vector<Role>> outputs_;  ///< one list per option
};

/// Adds the argument SCAN, a scan file to read; `what` follows the names in the help.
void add_scan(CLI::App& sub, std::string& scan, const std::string& what = {});
/// Adds the option --out of a scan to write.
CLI::Option* add_scan_out(CLI::App& sub, std::string& out);
/// Adds the flag --deidentify of a command that writes a volume.
CLI::Option* add_deidentify(CLI::App& sub, bool& deidentify);
/// Adds --mu-water for volumes that are read: for the HU of files that state no attenuation of
/// water themselves.
void add_mu_water_of_volumes(CLI::App& sub, double& mu_water);

}  // namespace gantry::cli
