#pragma once

#include "core/io/imports/import_scan.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/written_tiff.hpp"

#include <QTemporaryDir>

#include <memory>
#include <string>

namespace gantry::test {

/// The folder of a test of imports, with frames of CountedFrames in TIFF files.
class FramesFolder {
 protected:
  std::string path(const std::string& name = {}) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  void write_frame(const std::string& name, const Page& frame) const {
    write_pages(path(name), {frame}, CountedFrames::columns);
  }
  /// The import of a file of this folder, or of the folder, as half a turn.
  ImportRequest half_turn(const std::string& name = {}) const {
    ImportRequest request;
    request.path = path(name);
    request.centre = 4;
    request.arc_deg = 180;
    return request;
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

}  // namespace gantry::test
