#include "gui/track/video_film.hpp"

#include "core/base/error.hpp"
#include "gui/track/gif_film.hpp"

#ifdef GANTRY_THEORA
#include <QFile>
#include <QTemporaryDir>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOggTheoraWriter.h>
#endif

#include <algorithm>

namespace gantry {

#ifdef GANTRY_THEORA

bool can_write_videos() { return true; }

namespace {

void require(bool done) {
  if (!done) throw OutputError("the film cannot be encoded", "Theora", "save it as GIF instead");
}

/// Copies a picture; VTK's rows run upwards.
void put(const QImage& picture, vtkImageData& frame) {
  const QImage rgb = picture.convertToFormat(QImage::Format_RGB888);
  for (int y = 0; y < rgb.height(); ++y)
    std::copy_n(rgb.constScanLine(y), 3 * rgb.width(),
                static_cast<unsigned char*>(frame.GetScalarPointer(0, rgb.height() - 1 - y, 0)));
  frame.Modified();
}

}  // namespace

QByteArray video_film(const std::vector<QImage>& pictures, int milliseconds) {
  if (pictures.empty()) throw UsageError("a film needs pictures", {}, "start a run first");
  const QTemporaryDir folder;  // the writer writes files only
  require(folder.isValid());
  const QString path = folder.filePath(QStringLiteral("film.ogv"));
  const QSize size = pictures.front().size();
  const vtkNew<vtkImageData> frame;
  frame->SetDimensions(size.width(), size.height(), 1);
  frame->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  const vtkNew<vtkOggTheoraWriter> writer;
  writer->SetFileName(path.toUtf8().constData());
  writer->SetInputData(frame);
  writer->SetRate(std::max(1, 1000 / std::max(1, milliseconds)));
  writer->SetQuality(2);
  writer->SubsamplingOff();  // lines in the colours of runs stay sharp
  writer->Start();
  for (std::size_t i = 0; i < pictures.size() + last_picture_stays - 1; ++i) {
    put(pictures[std::min(i, pictures.size() - 1)].scaled(size), *frame);
    writer->Write();
  }
  writer->End();
  QFile file(path);
  require(writer->GetError() == 0 && file.open(QIODevice::ReadOnly));
  return file.readAll();
}

#else

bool can_write_videos() { return false; }

QByteArray video_film(const std::vector<QImage>&, int) {
  throw UsageError("this program was built without VTK's writer of Ogg Theora", {},
                   "save the film as GIF, or build with VTK's module IOOggTheora");
}

#endif

}  // namespace gantry
