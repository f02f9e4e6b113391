#pragma once

#include "core/io/imports/import_scan.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/small_files.hpp"

#include <QTemporaryDir>

#include <string>

namespace gantry::test {

/// A scan of Nikon in a folder of its own.
class NikonFolder {
 public:
  static constexpr int projections = 8;

  /// A whole turn of eight projections, SID 100 mm, SDD 400 mm, cells of 0.5 mm.
  static QByteArray settings(const QByteArray& more = {}) {
    return "[XTekCT]\r\nName=part\r\nInputSeparator=_\r\nInputFolderName=\r\n" + more +
           "VoxelSizeX=0.125\r\nSrcToObject=100\r\nSrcToDetector=400\r\nDetectorPixelsX=9\r\n"
           "DetectorPixelsY=6\r\nDetectorPixelSizeX=0.5\r\nDetectorPixelSizeY=0.5\r\n"
           "WhiteLevel=20000.0\r\nProjections=8\r\nInitialAngle=5\r\nAngularStep=45\r\n"
           "Units=mm\r\n[Xrays]\r\nXraykV=160\r\n";
  }

  std::string path(const std::string& name) const {
    return folder_.filePath(QString::fromStdString(name)).toStdString();
  }
  void write_frame(int number) const {
    write_pages(path("part_000" + std::to_string(number) + ".tif"),
                {CountedFrames::projection(number - 1)}, CountedFrames::columns);
  }
  void write_scan_files(const QByteArray& text) const {
    write_file(path("part.xtekct"), text);
    for (int number = 1; number <= projections; ++number) write_frame(number);
  }
  ImportRequest request() const {
    ImportRequest request;
    request.path = path("part.xtekct");
    return request;
  }

 private:
  QTemporaryDir folder_;
};

}  // namespace gantry::test
