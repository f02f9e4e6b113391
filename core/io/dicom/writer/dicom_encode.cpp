#include "core/io/dicom/writer/dicom_encode.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_file.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcostrmb.h>
#include <dcmtk/dcmdata/dctk.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>

namespace gantry {

namespace {

constexpr const char* implementation_uid = "2.25.168480621473817644816350244016849476483";
constexpr const char* implementation_name = "GANTRY";

void require(const OFCondition& status, const std::string& what) {
  if (status.bad()) throw OutputError(what + " cannot be written as DICOM (" + status.text() + ")");
}

bool allows_several(DicomTag tag) {
  constexpr std::array tags = {dicom::image_type,
                               dicom::image_position,
                               dicom::image_orientation,
                               dicom::pixel_spacing,
                               dicom::deidentification_method,
                               dicom::convolution_kernel,
                               dicom::lossy_compression_ratio,
                               dicom::lossy_compression_method};
  return std::any_of(tags.begin(), tags.end(),
                     [&](DicomTag t) { return t.number() == tag.number(); });
}

/// Returns the greatest number of characters of a value; 0 where no limit is enforced here.
std::size_t longest(DcmEVR representation) {
  switch (representation) {
    case EVR_SH:
      return 16;
    case EVR_LO:
      return 64;
    case EVR_ST:
      return 1024;
    default:
      return 0;
  }
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }

/// Returns the number of characters of a UTF-8 text.
std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

/// Cuts each value of `text` (values are separated by backslashes) to at most `characters`
/// characters, never within a character.
std::string with_short_values(const std::string& text, std::size_t characters) {
  std::string cut;
  std::size_t count = 0;
  bool kept = true;
  for (const char c : text) {
    if (c == '\\')
      count = 0, kept = true;
    else if (starts_character(c))
      kept = count++ < characters;
    if (kept) cut += c;
  }
  return cut;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Throws OutputError for a person's name that the value representation PN (PS3.5, 6.2.1) cannot
/// hold: three groups of at most 64 characters and five components each. A name is not cut, because
/// the images could then pass for those of another patient.
void require_name(const std::string& value, DicomTag tag) {
  constexpr std::size_t most_groups = 3, most_components = 5, most_characters = 64;
  const std::vector<std::string_view> groups = parts_of(value, '=');
  const bool fits =
      groups.size() <= most_groups && std::ranges::all_of(groups, [](std::string_view group) {
        return characters_in(group) <= most_characters &&
               parts_of(group, '^').size() <= most_components;
      });
  if (!fits)
    throw OutputError(describe(tag) + " is longer than DICOM allows (64 characters, 5 components)",
                      {}, "shorten the name in the source images");
}

/// Removes a character: dates (DA) and times (TM) of old files have dots and colons between the
/// digits.
void drop(std::string& text, char what) { std::erase(text, what); }

std::string fitted(std::string value, DicomTag tag, DcmEVR representation) {
  if (representation == EVR_DA) drop(value, '.');
  if (representation == EVR_TM) drop(value, ':');
  for (char& c : value) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    if (c == '\\' && !allows_several(tag)) c = '/';
  }
  if (representation == EVR_PN) require_name(value, tag);
  const std::size_t limit = longest(representation);
  return limit > 0 ? with_short_values(value, limit) : value;
}

void put_attributes(DcmDataset& data, const DicomImageFile& image) {
  data.putAndInsertString(DCM_SpecificCharacterSet, "ISO_IR 192");
  for (const auto& [tag, value] : image.attributes) {
    const DcmTag name(tag.group, tag.element);
    const std::string text = fitted(value, tag, name.getEVR());
    const OFString stored(text.data(), text.size());
    require(data.putAndInsertOFStringArray(name, stored), describe(tag));
    DcmElement* element = nullptr;
    if (data.findAndGetElement(name, element).good() && element->checkValue("1-n").bad())
      require(element->putString(""), describe(tag));
  }
}

void put_sources(DcmDataset& data, const DicomImageFile& image) {
  if (image.source_class_uid.empty()) return;
  for (std::size_t i = 0; i < image.source_uids.size(); ++i) {
    DcmItem* item = nullptr;
    require(data.findOrCreateSequenceItem(DCM_SourceImageSequence, item, -2), "a source image");
    item->putAndInsertString(DCM_ReferencedSOPClassUID, image.source_class_uid.c_str());
    item->putAndInsertString(DCM_ReferencedSOPInstanceUID, image.source_uids[i].c_str());
  }
}

void put_code(DcmDataset& data, DicomTag sequence, const std::optional<DerivationCode>& code) {
  if (!code) return;
  DcmItem* item = nullptr;
  require(data.findOrCreateSequenceItem(DcmTag(sequence.group, sequence.element), item, -2),
          describe(sequence));
  item->putAndInsertString(DCM_CodeValue, code->value);
  item->putAndInsertString(DCM_CodingSchemeDesignator, code->scheme);
  item->putAndInsertString(DCM_CodeMeaning, code->meaning);
}

void put_pixels(DcmDataset& data, const DicomImageFile& image) {
  data.putAndInsertUint16(DCM_SamplesPerPixel, 1);
  data.putAndInsertString(DCM_PhotometricInterpretation, "MONOCHROME2");
  data.putAndInsertUint16(DCM_Rows, static_cast<Uint16>(image.rows));
  data.putAndInsertUint16(DCM_Columns, static_cast<Uint16>(image.columns));
  data.putAndInsertUint16(DCM_BitsAllocated, 16);
  data.putAndInsertUint16(DCM_BitsStored, 16);
  data.putAndInsertUint16(DCM_HighBit, 15);
  data.putAndInsertUint16(DCM_PixelRepresentation, 1);
  std::vector<Uint16> words(image.pixels.size());
  std::memcpy(words.data(), image.pixels.data(), image.pixels.size_bytes());
  require(data.putAndInsertUint16Array(DCM_PixelData, words.data(),
                                       static_cast<unsigned long>(words.size())),
          "the pixels");
}

std::vector<std::byte> serialise(DcmFileFormat& file, std::size_t guess) {
  require(file.validateMetaInfo(EXS_LittleEndianExplicit, EWM_createNewMeta), "the file header");
  DcmMetaInfo& meta = *file.getMetaInfo();
  meta.putAndInsertString(DCM_ImplementationClassUID, implementation_uid);
  meta.putAndInsertString(DCM_ImplementationVersionName, implementation_name);
  require(meta.computeGroupLengthAndPadding(EGL_withGL, EPD_noChange, EXS_LittleEndianExplicit,
                                            EET_UndefinedLength),
          "the file header");
  std::vector<std::byte> bytes(guess);
  for (;;) {
    DcmOutputBufferStream stream(bytes.data(), static_cast<offile_off_t>(bytes.size()));
    file.transferInit();
    const OFCondition status =
        file.write(stream, EXS_LittleEndianExplicit, EET_ExplicitLength, nullptr, EGL_recalcGL,
                   EPD_noChange, 0, 0, 0, EWM_dontUpdateMeta);
    file.transferEnd();
    if (status == EC_StreamNotifyClient) {
      bytes.resize(2 * bytes.size());
      continue;
    }
    require(status, "the image");
    void* start = nullptr;
    offile_off_t length = 0;
    stream.flushBuffer(start, length);
    bytes.resize(static_cast<std::size_t>(length));
    return bytes;
  }
}

}  // namespace

std::string decimal_string(double value) {
  std::array<char, 64> text{};
  const auto shortest = std::to_chars(text.data(), text.data() + text.size(), value);
  if (shortest.ptr - text.data() <= 16) return {text.data(), shortest.ptr};
  for (int digits = 16; digits > 0; --digits) {
    const auto rounded = std::to_chars(text.data(), text.data() + text.size(), value,
                                       std::chars_format::general, digits);
    if (rounded.ptr - text.data() <= 16) return {text.data(), rounded.ptr};
  }
  return "0";
}

std::vector<std::byte> encode_dicom_image(const DicomImageFile& image) {
  start_dicom();
  DcmFileFormat file;
  DcmDataset& data = *file.getDataset();
  data.putAndInsertString(DCM_SOPClassUID, UID_CTImageStorage);
  data.putAndInsertString(DCM_SOPInstanceUID, image.sop_instance_uid.c_str());
  put_attributes(data, image);
  put_sources(data, image);
  put_code(data, dicom::derivation_code_sequence, image.derivation_code);
  put_code(data, dicom::deidentification_code_sequence, image.deidentification_code);
  put_pixels(data, image);
  return serialise(file, image.pixels.size_bytes() + 200 * image.source_uids.size() + 65536);
}

bool is_written_by_gantry(const std::string& path) {
  try {
    const auto header = read_dicom_header(path);
    return header && header->meta.text(dicom::implementation_version_name) == implementation_name;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace gantry
