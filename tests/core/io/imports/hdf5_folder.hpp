#pragma once

#include "core/io/imports/import_scan.hpp"

#include <QTemporaryDir>

#include <memory>
#include <string>
#include <vector>

namespace gantry::test {

/// The angles of seven counted frames, degrees.
inline const std::vector<double> half_turn = {0, 30, 60, 90, 120, 150, 180};

/// A folder for files of counted frames. The frames are those of no object, in which an axis could
/// be found, so that imports state it.
class Hdf5Folder {
 protected:
  std::string path(const char* name) const {
    return folder_->filePath(QLatin1String(name)).toStdString();
  }
  ImportedScan imported(const char* name) const {
    ImportRequest request;
    request.path = path(name);
    request.centre = 4;
    return import_scan(request);
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

}  // namespace gantry::test
