#pragma once

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

  std::unique_ptr<QTemporaryDir> folder_;
};

}  // namespace gantry::test
