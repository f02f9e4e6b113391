#pragma once

#include <QByteArray>

#include <algorithm>
#include <cstdint>

namespace gantry::test {

/// Bytes of DICOM files whose sequences lie in one another, in every way that the format knows.
enum class NestedAs {
  defined,        ///< explicit little endian, lengths given
  undefined,      ///< lengths undefined, each level closed by its delimiters
  implicit,       ///< implicit little endian, lengths undefined
  big_endian,     ///< explicit big endian, lengths undefined
  deflated,       ///< explicit little endian, deflated
  unknown,        ///< VR "UN" of undefined length: implicit little endian below
  private_group,  ///< the elements are private
  short_items,    ///< a lie: each item ends where the sequence in it starts
};

class NestedDicom {
 public:
  NestedDicom(NestedAs as, int depth) : as_(as), depth_(depth) {}

  /// Bytes put before the transfer syntax in the meta group: (0002,0001) grows that long.
  NestedDicom& syntax_after(int bytes) {
    before_syntax_ = bytes;
    return *this;
  }
  NestedDicom& without_group_length() {
    group_length_ = false;
    return *this;
  }

  /// A whole file: preamble, meta group, the nested sequences, no image.
  QByteArray bytes() const {
    QByteArray group = long_element("OB", 0x0002, 0x0001, QByteArray(before_syntax_, '\0'));
    QByteArray uid = syntax();
    if (uid.size() % 2 != 0) uid.append('\0');
    group += little(0x00100002, 4) + "UI" + little(static_cast<std::uint32_t>(uid.size()), 2) + uid;
    QByteArray length = little(0x00000002, 4) + "UL" + little(4, 2) +
                        little(static_cast<std::uint32_t>(group.size()), 4);
    QByteArray file =
        QByteArray(128, '\0') + "DICM" + (group_length_ ? length : QByteArray()) + group;
    return file + data_set();
  }
  QByteArray data_set() const {
    QByteArray start = element(0x0008, 0x0060, "CS", "CT", as_ == NestedAs::implicit);
    const QByteArray all = start + levels();
    return as_ == NestedAs::deflated ? deflate(all) : all;
  }

  /// The bytes as a deflated data set has them: zlib's stream without header and checksum.
  static QByteArray deflate(const QByteArray& plain) {
    QByteArray packed = qCompress(plain, 9);
    return packed.sliced(6, packed.size() - 10);  // Qt's length, zlib's header; Adler-32
  }

 private:
  QByteArray syntax() const {
    switch (as_) {
      case NestedAs::implicit:
        return "1.2.840.10008.1.2";
      case NestedAs::big_endian:
        return "1.2.840.10008.1.2.2";
      case NestedAs::deflated:
        return "1.2.840.10008.1.2.1.99";
      default:
        return "1.2.840.10008.1.2.1";
    }
  }

  /// Nests the levels, from the innermost outwards where lengths are given; else writes the
  /// openings, then the closings.
  QByteArray levels() const {
    const QByteArray undefined = number(0xffffffff, 4);
    QByteArray opened, closed;
    if (as_ == NestedAs::defined || as_ == NestedAs::deflated) {
      for (int i = 0; i < depth_; ++i) opened = sequence_head(item_head(opened.size()) + opened);
      return opened;
    }
    for (int i = 0; i < depth_; ++i) {
      if (as_ == NestedAs::short_items) {
        opened += tag(0x0008, 0x1140) + "SQ" + number(0, 2) + undefined + tag(0xfffe, 0xe000) +
                  number(12, 4);
        continue;
      }
      opened += sequence_tag(i) + undefined + tag(0xfffe, 0xe000) + undefined;
      closed += tag(0xfffe, 0xe00d) + number(0, 4) + tag(0xfffe, 0xe0dd) + number(0, 4);
    }
    return opened + closed;
  }
  QByteArray sequence_tag(int level) const {
    if (as_ == NestedAs::implicit || (as_ == NestedAs::unknown && level > 0))
      return tag(0x0008, 0x1140);
    if (as_ == NestedAs::unknown) return tag(0x0008, 0x1140) + "UN" + number(0, 2);
    if (as_ == NestedAs::private_group) return tag(0x0009, 0x1040) + "SQ" + number(0, 2);
    return tag(0x0008, 0x1140) + "SQ" + number(0, 2);
  }
  QByteArray sequence_head(const QByteArray& body) const {
    return long_element("SQ", 0x0008, 0x1140, body);
  }
  QByteArray item_head(qsizetype bytes) const {
    return tag(0xfffe, 0xe000) + number(static_cast<std::uint32_t>(bytes), 4);
  }
  QByteArray element(int group, int element, const char* vr, const char* value,
                     bool implicit) const {
    const QByteArray bytes(value);
    const auto size = static_cast<std::uint32_t>(bytes.size());
    return tag(group, element) + (implicit ? number(size, 4) : vr + number(size, 2)) + bytes;
  }
  static QByteArray long_element(const char* vr, int group, int element, const QByteArray& value) {
    return little(static_cast<std::uint32_t>(group), 2) +
           little(static_cast<std::uint32_t>(element), 2) + vr + little(0, 2) +
           little(static_cast<std::uint32_t>(value.size()), 4) + value;
  }

  QByteArray tag(int group, int element) const {
    return number(static_cast<std::uint32_t>(group), 2) +
           number(static_cast<std::uint32_t>(element), 2);
  }
  /// Returns a number in the byte order of the data set.
  QByteArray number(std::uint32_t value, int count) const {
    QByteArray bytes = little(value, count);
    if (as_ == NestedAs::big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
  static QByteArray little(std::uint32_t value, int count) {
    QByteArray bytes;
    for (int i = 0; i < count; ++i) bytes.append(static_cast<char>(value >> (8 * i) & 0xff));
    return bytes;
  }

  NestedAs as_;
  int depth_, before_syntax_ = 2;
  bool group_length_ = true;
};

}  // namespace gantry::test
