#pragma once

#include "tests/support/small_files.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QTemporaryDir>

#include <memory>
#include <string>

namespace gantry::test {

/// A temporary folder for the small DICOM files of a test; what derives from it makes folder_ anew
/// for each of its rows.
class DicomFolder {
 protected:
  std::string path(const std::string& name) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  std::string folder() const { return folder_->path().toStdString(); }
  void save(const TinyDicom& image, const std::string& name) const {
    image.save(QString::fromStdString(path(name)));
  }
  void write(const QByteArray& bytes, const std::string& name) const {
    write_file(path(name), bytes);
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

}  // namespace gantry::test
