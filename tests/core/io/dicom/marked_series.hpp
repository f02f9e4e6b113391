#pragma once

#include "tests/support/small_files.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QDir>
#include <QDirIterator>
#include <QStringList>

#include <string>

namespace gantry::test {

// A DICOM series that says "this is the patient" wherever it can, to be looked for in what is made
// of it.

/// Every text begins with this, and every UID contains these digits.
inline const std::string text_mark = "QZ", uid_mark = "8675309086";
/// Dates, times and numbers of the patient.
inline const std::string date_mark = "19470311", time_mark = "031547.518273", age_mark = "047Y",
                         size_mark = "1.73184", weight_mark = "73.918273";

inline TinyDicom marked_item() {
  TinyDicom item = TinyDicom::empty();
  item.text(0x00081150, "UI", "1.2.840.10008.5.1.4.1.1.2");
  item.text(0x00081155, "UI", "1.2.826." + uid_mark + ".9");
  item.text(0x00100010, "PN", text_mark + "NESTED^NAME");
  item.text(0x00100020, "LO", text_mark + "NESTEDID");
  item.text(0x00400007, "LO", text_mark + "NESTEDSTEP");
  return item;
}

/// One of three slices, from 0.
inline TinyDicom marked_image(int slice) {
  const std::string uid = "1.2.826." + uid_mark + ".";
  TinyDicom image;
  image.at(2.0 * slice, slice);
  for (const auto& [tag, vr, value] : {std::tuple(0x00020016U, "AE", text_mark + "SENDER"),
                                       {0x00020003U, "UI", uid + "5." + std::to_string(slice)}})
    image.meta_text(tag, vr, value);
  image.text(0x00080018, "UI", uid + "5." + std::to_string(slice));
  for (const std::uint32_t tag : {0x00080012U, 0x00080020U, 0x00080021U, 0x00080022U, 0x00080023U,
                                  0x00100030U, 0x00181012U, 0x00400244U})
    image.text(tag, "DA", date_mark);
  for (const std::uint32_t tag :
       {0x00080013U, 0x00080030U, 0x00080031U, 0x00080032U, 0x00080033U, 0x00100032U})
    image.text(tag, "TM", time_mark);
  for (const std::uint32_t tag : {0x00100010U, 0x00080090U, 0x00081050U, 0x00081070U, 0x00101001U})
    image.text(tag, "PN", text_mark + "FAMILY^GIVEN");
  for (const std::uint32_t tag : {0x00080050U, 0x00081010U, 0x00181210U, 0x00200010U})
    image.text(tag, "SH", text_mark + "SHORT");
  for (const std::uint32_t tag :
       {0x00080070U, 0x00080080U, 0x00081030U, 0x0008103eU, 0x00081090U, 0x00100020U, 0x00100021U,
        0x00120063U, 0x00181000U, 0x00181020U, 0x00181030U, 0x00201040U, 0x00090010U, 0x00091001U})
    image.text(tag, "LO", text_mark + "LONG");
  for (const std::uint32_t tag : {0x00080081U, 0x00082111U, 0x00400280U})
    image.text(tag, "ST", text_mark + "SENTENCE");
  for (const std::uint32_t tag : {0x00104000U, 0x00204000U, 0x60004000U})
    image.text(tag, "LT", text_mark + "COMMENT");
  for (const std::uint32_t tag : {0x00180015U, 0x00282114U})
    image.text(tag, "CS", text_mark + "CODE");
  image.text(0x0020000d, "UI", uid + "1").text(0x0020000e, "UI", uid + "2");
  image.text(0x00200052, "UI", uid + "3").text(0x00083010, "UI", uid + "4");
  image.text(0x00100040, "CS", "M").text(0x00101010, "AS", age_mark);
  image.text(0x00101020, "DS", size_mark).text(0x00101030, "DS", weight_mark);
  image.text(0x00120062, "CS", "NO").text(0x00280301, "CS", "NO");
  image.text(0x00180060, "DS", "120").text(0x00181120, "DS", "0").text(0x00181151, "IS", "200");
  image.text(0x00185100, "CS", "HFS").text(0x00200060, "CS", "R").text(0x00200011, "IS", "4");
  image.text(0x00282110, "CS", "01").text(0x00282112, "DS", "7.5");
  for (const std::uint32_t tag : {0x00081110U, 0x00081120U, 0x00081140U, 0x00082112U, 0x00101002U,
                                  0x00400275U, 0x04000561U, 0x00091002U})
    image.sequence(tag, {marked_item()});
  return image.text(0xfffcfffc, "OB", text_mark + "PADDING");
}

inline void save_marked_series(const QString& folder) {
  if (!QDir().mkpath(folder)) qFatal("cannot make a test folder");
  for (int slice = 0; slice < 3; ++slice)
    marked_image(slice).save(QDir(folder).filePath(QStringLiteral("%1.dcm").arg(slice)));
}

/// Returns the marks that a text contains.
inline QStringList marks_in(const QByteArray& text) {
  QStringList found;
  for (const std::string& mark :
       {text_mark, uid_mark, date_mark, time_mark, age_mark, size_mark, weight_mark})
    if (text.contains(QByteArray::fromStdString(mark))) found << QString::fromStdString(mark);
  return found;
}

/// Returns a line for each file below a folder that has a mark among its bytes or in its name.
inline QStringList marked_files(const QString& folder) {
  QStringList lines;
  QDirIterator each(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
  while (each.hasNext()) {
    const QString path = each.next();
    const QStringList marks = marks_in(bytes_of_file(path) + each.fileName().toUtf8());
    if (!marks.isEmpty()) lines << path + QStringLiteral(": ") + marks.join(QLatin1Char(' '));
  }
  return lines;
}

}  // namespace gantry::test
