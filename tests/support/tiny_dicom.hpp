#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gantry::test {

/// Makes small DICOM files byte by byte (explicit little endian unless syntax() says implicit), so
/// that each attribute can be made invalid separately. The initial content is a valid CT slice of 4
/// x 3 pixels of 0.5 x 0.25 mm at z = 0.
class TinyDicom {
 public:
  static constexpr const char* implicit_syntax = "1.2.840.10008.1.2";

  TinyDicom() {
    text(0x00080008, "CS", "ORIGINAL\\PRIMARY\\AXIAL");
    text(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.2");
    text(0x00080018, "UI", "2.25.1000");
    text(0x00080060, "CS", "CT");
    text(0x00100010, "PN", "Doe^Jane");
    text(0x00180050, "DS", "2");
    text(0x0020000d, "UI", "2.25.1");
    text(0x0020000e, "UI", "2.25.2");
    text(0x00200011, "IS", "1");
    text(0x00200032, "DS", "-1\\-2\\0");
    text(0x00200037, "DS", "1\\0\\0\\0\\1\\0");
    number(0x00280002, 1);
    text(0x00280004, "CS", "MONOCHROME2");
    number(0x00280010, 3);
    number(0x00280011, 4);
    text(0x00280030, "DS", "0.25\\0.5");
    number(0x00280100, 16);
    number(0x00280101, 16);
    number(0x00280102, 15);
    number(0x00280103, 1);
    text(0x00281052, "DS", "-1000");
    text(0x00281053, "DS", "1");
    pixels({0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  }

  TinyDicom& text(std::uint32_t tag, const char* vr, const std::string& value) {
    QByteArray bytes = QByteArray::fromStdString(value);
    if (bytes.size() % 2 != 0) bytes.append(std::string(vr) == "UI" ? '\0' : ' ');
    elements_[tag] = {vr, bytes};
    return *this;
  }
  TinyDicom& number(std::uint32_t tag, int value, const char* vr = "US") {
    elements_[tag] = {vr, little(static_cast<std::uint32_t>(value), 2)};
    return *this;
  }
  /// Sets 32-bit floats; with "UN", as files do that do not know the attribute.
  TinyDicom& reals(std::uint32_t tag, const std::vector<float>& values, const char* vr = "FL") {
    QByteArray bytes;
    for (const float value : values) bytes += little(std::bit_cast<std::uint32_t>(value), 4);
    elements_[tag] = {vr, bytes};
    return *this;
  }
  TinyDicom& pixels(const std::vector<int>& values) {
    QByteArray bytes;
    for (const int value : values) bytes += little(static_cast<std::uint32_t>(value), 2);
    elements_[0x7fe00010] = {"OW", bytes};
    return *this;
  }
  /// Adds pixel data of a compressed transfer syntax: the offset table, then the fragments.
  TinyDicom& fragments(const std::vector<QByteArray>& all,
                       const std::vector<std::uint32_t>& offsets = {}) {
    QByteArray bytes =
        little(0xe000fffe, 4) + little(static_cast<std::uint32_t>(4 * offsets.size()), 4);
    for (const std::uint32_t offset : offsets) bytes += little(offset, 4);
    for (const QByteArray& one : all)
      bytes += little(0xe000fffe, 4) + little(static_cast<std::uint32_t>(one.size()), 4) + one;
    elements_[0x7fe00010] = {"OB", bytes + little(0xe0ddfffe, 4) + little(0, 4)};
    encapsulated_ = true;
    return *this;
  }
  /// Adds a sequence. Each item has the attributes of another file, without those of group 2.
  TinyDicom& sequence(std::uint32_t tag, const std::vector<TinyDicom>& items) {
    QByteArray bytes;
    for (const TinyDicom& item : items) {
      const QByteArray body = item.data_set();
      bytes += little(0xe000fffe, 4) + little(static_cast<std::uint32_t>(body.size()), 4) + body;
    }
    elements_[tag] = {"SQ", bytes};
    return *this;
  }
  TinyDicom& remove(std::uint32_t tag) {
    elements_.erase(tag);
    return *this;
  }
  TinyDicom& syntax(const std::string& uid) {
    syntax_ = uid;
    return *this;
  }
  /// Moves the slice to height z and gives it an instance UID of its own.
  TinyDicom& at(double z_mm, int instance) {
    text(0x00200032, "DS", "-1\\-2\\" + QString::number(z_mm, 'g', 12).toStdString());
    return text(0x00080018, "UI", "2.25." + std::to_string(1000 + instance));
  }
  /// Sets a text of the file meta information, group 2.
  TinyDicom& meta_text(std::uint32_t tag, const char* vr, const std::string& value) {
    meta_[tag] = {vr, value};
    return *this;
  }
  static TinyDicom empty() {
    TinyDicom none;
    none.elements_.clear();
    return none;
  }

  QByteArray bytes() const {
    TinyDicom meta = empty();
    meta.text(0x00020002, "UI", "1.2.840.10008.5.1.4.1.1.2");
    meta.text(0x00020010, "UI", syntax_);
    for (const auto& [tag, element] : meta_) meta.text(tag, element.first.c_str(), element.second);
    const QByteArray group = meta.data_set();
    TinyDicom length = empty();
    length.elements_[0x00020000] = {"UL", little(static_cast<std::uint32_t>(group.size()), 4)};
    return QByteArray(128, '\0') + "DICM" + length.data_set() + group + data_set();
  }
  QByteArray data_set() const {
    QByteArray all;
    for (const auto& [tag, element] : elements_) {
      const auto& [vr, value] = element;
      const auto size = static_cast<std::uint32_t>(value.size());
      all += little(tag >> 16, 2) + little(tag & 0xffff, 2);
      if (syntax_ == implicit_syntax) {
        all += little(size, 4) + value;
        continue;
      }
      all += QByteArray::fromStdString(vr);
      const bool is_long = vr == "OW" || vr == "OB" || vr == "SQ" || vr == "UN";
      const bool undefined = encapsulated_ && tag == 0x7fe00010;
      all += is_long ? QByteArray(2, '\0') + little(undefined ? 0xffffffff : size, 4)
                     : little(size, 2);
      all += value;
    }
    return all;
  }
  void save(const QString& path) const {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes()) < 0)
      qFatal("cannot write a test file");
  }

 private:
  static QByteArray little(std::uint32_t value, int count) {
    QByteArray bytes;
    for (int i = 0; i < count; ++i) bytes.append(static_cast<char>(value >> (8 * i) & 0xff));
    return bytes;
  }

  std::map<std::uint32_t, std::pair<std::string, QByteArray>> elements_;
  std::map<std::uint32_t, std::pair<std::string, std::string>> meta_;
  bool encapsulated_ = false;
  std::string syntax_ = "1.2.840.10008.1.2.1";
};

}  // namespace gantry::test
