#include "core/io/dicom/file/dicom_file.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_start.hpp"
#include "core/io/dicom/file/dicom_tree.hpp"
#include "core/io/dicom/file/projection_tags.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcrledrg.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/dcmjpls/djdecode.h>
#include <dcmtk/oflog/oflog.h>

#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <new>
#include <system_error>

namespace gantry {

namespace {

constexpr Uint32 longest_value = 1
                                 << 16;  // bytes; the attributes of dicom_tags.hpp are far shorter

/// Whether neither the file nor DCMTK's dictionary says how a value is coded: an explicit file may
/// state UN, an implicit one states nothing.
bool is_unknown(DcmEVR representation) {
  return representation == EVR_UN || representation == EVR_UNKNOWN ||
         representation == EVR_UNKNOWN2B;
}

bool is_text_or_number(DcmEVR representation) {
  if (is_unknown(representation)) return false;
  switch (representation) {
    case EVR_OB:
    case EVR_OD:
    case EVR_OF:
    case EVR_OL:
    case EVR_OV:
    case EVR_OW:
    case EVR_ox:
    case EVR_px:
    case EVR_PixelData:
    case EVR_OverlayData:
    case EVR_lt:
      return false;
    default:
      return true;
  }
}

/// Replaces control characters by blanks: messages and widgets show values on one line.
void make_one_line(std::string& text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
}

void make_ascii(std::string& text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
}

/// Appends a number to the values of an attribute, with all its digits.
template <class Number>
void append_value(Number number, std::string& values) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  if (!values.empty()) values += '\\';
  values.append(digits.data(), end.ptr);
}

/// Returns the bytes of a value whose representation is not known as text, by what DICOM-CT-PD says
/// of the attribute. Numbers are little endian, as in all data sets with such values.
std::string decoded_projection_value(DcmElement& element) {
  Uint8* bytes = nullptr;
  if (element.getUint8Array(bytes).bad() || bytes == nullptr) return {};
  const std::size_t length = element.getLengthField();
  const ct_pd::Coding coding = ct_pd::coding_of(element.getGTag(), element.getETag());
  if (coding == ct_pd::Coding::text) return {reinterpret_cast<const char*>(bytes), length};
  const std::size_t size = coding == ct_pd::Coding::float32 ? 4 : 2;
  std::string values;
  for (std::size_t at = 0; at + size <= length; at += size) {
    std::uint32_t number = 0;
    for (std::size_t i = size; i-- > 0;) number = number << 8 | bytes[at + i];
    if (coding == ct_pd::Coding::float32)
      append_value(std::bit_cast<float>(number), values);
    else
      append_value(number, values);
  }
  return values;
}

/// Returns the value of a private attribute of DICOM-CT-PD as text. DCMTK's text of a float may
/// lack its last digit.
std::string projection_value(DcmElement& element) {
  if (element.getLengthField() > longest_value) return {};
  if (is_unknown(element.ident())) return decoded_projection_value(element);
  if (element.ident() == EVR_FL) {
    std::string values;
    Float32 value = 0;
    for (unsigned long i = 0; element.getFloat32(value, i).good(); ++i) append_value(value, values);
    return values;
  }
  OFString value;
  return is_text_or_number(element.ident()) && element.getOFStringArray(value).good()
             ? std::string(value.data(), value.size())
             : std::string();
}

DicomAttributes plain_values(DcmItem& item, bool utf8) {
  DicomAttributes result;
  for (DcmObject* object = nullptr; (object = item.nextInContainer(object)) != nullptr;) {
    const std::uint32_t number =
        static_cast<std::uint32_t>(object->getGTag()) << 16 | object->getETag();
    if (object->getGTag() % 2 == 1) {  // private attributes have odd group numbers
      auto* element = dynamic_cast<DcmElement*>(object);
      if (!ct_pd::has_group(object->getGTag()) || element == nullptr) continue;
      std::string& text = result.values[number];
      text = projection_value(*element);
      make_one_line(text);
      make_ascii(text);
      continue;
    }
    if (auto* sequence = dynamic_cast<DcmSequenceOfItems*>(object)) {
      std::vector<DicomAttributes>& items = result.sequences[number];
      // getItem(i) would count from the first item at each call.
      for (DcmObject* one = nullptr; (one = sequence->nextInContainer(one)) != nullptr;)
        if (auto* inner = dynamic_cast<DcmItem*>(one)) items.push_back(plain_values(*inner, utf8));
    } else if (auto* element = dynamic_cast<DcmElement*>(object)) {
      if (!is_text_or_number(element->ident()) || element->getLengthField() > longest_value)
        continue;
      OFString value;
      if (element->getOFStringArray(value).bad()) continue;
      std::string& text = result.values[number];
      text.assign(value.data(), value.size());
      make_one_line(text);
      if (!utf8) make_ascii(text);
    }
  }
  return result;
}

/// Judges a file by its first bytes. Throws InputError when the file cannot be read.
Certainty certainty_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream && errno == ENOMEM) throw std::bad_alloc();  // no fault of the file
  if (!stream)
    throw InputError("cannot be opened (" + std::generic_category().message(errno) + ")", path,
                     "make it readable or choose another file");
  std::array<char, dicom_start_bytes> start{};
  stream.read(start.data(), start.size());
  if (stream.bad()) throw InputError("cannot be read", path, "copy it again");
  return dicom_certainty({start.data(), static_cast<std::size_t>(stream.gcount())});
}

/// Loads DCMTK's data dictionary. DCMTK breaks when an allocation fails during the loading;
/// therefore enough memory is allocated and released before, where std::bad_alloc can be caught.
void load_dictionary() {
  constexpr std::size_t of_dictionary = std::size_t{1} << 22;  // bytes; the dictionary takes 1.5 MB
  ::operator delete(::operator new(of_dictionary));
  dcmDataDict.isDictionaryLoaded();
}

}  // namespace

void start_dicom() {
  static std::once_flag once;
  std::call_once(once, [] {
    load_dictionary();
    OFLog::configure(OFLogger::OFF_LOG_LEVEL);  // errors reach the user as exceptions
    dcmEnableUnknownVRConversion.set(OFTrue);   // some archives replace a known VR by "UN"
    DJDecoderRegistration::registerCodecs();
    DJLSDecoderRegistration::registerCodecs();
    DcmRLEDecoderRegistration::registerCodecs();
  });
  if (!dcmDataDict.isDictionaryLoaded())
    throw UsageError("the DICOM data dictionary was not found", "DCMTK",
                     "set the environment variable DCMDICTPATH to the path of dicom.dic");
}

bool may_be_dicom(const std::string& path) { return certainty_of(path) != Certainty::none; }

std::optional<DicomHeader> decode_dicom_header(const std::string& path) {
  start_dicom();
  const Certainty certainty = certainty_of(path);
  if (certainty == Certainty::none) return {};
  DcmFileFormat file;
  try {
    const OFCondition status = load_dicom_tree(file, path, DicomExtent::header);
    if (status.bad())
      throw InputError(std::string("is damaged or cut short (DICOM: ") + status.text() + ")", path,
                       "copy it again from where it came");
  } catch (const InputError&) {
    if (certainty == Certainty::possible) return {};
    throw;
  }
  DcmDataset& data = *file.getDataset();
  const bool utf8 = data.convertToUTF8().good();
  DicomHeader header{path, plain_values(*file.getMetaInfo(), true), plain_values(data, utf8)};
  if (certainty == Certainty::possible && !header.data.has(dicom::sop_class_uid) &&
      !header.data.has(dicom::modality))
    return {};
  return header;
}

}  // namespace gantry
