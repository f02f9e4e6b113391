#include "core/io/dicom/pixels/dicom_pixels.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/dicom/file/dicom_tree.hpp"
#include "core/io/dicom/pixels/codestream_check.hpp"
#include "core/io/dicom/pixels/decoder_warnings.hpp"
#include "core/io/dicom/pixels/dicom_fragments.hpp"
#include "core/io/dicom/pixels/jpeg2000.hpp"
#include "core/io/dicom/pixels/jpeg2000_memory.hpp"
#include "core/io/dicom/pixels/stored_bits.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dccodec.h>
#include <dcmtk/dcmdata/dcpixel.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dctk.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry {

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Returns the first value of an attribute as an integer; nullopt where there is none.
std::optional<int> integer(DcmItem& item, DicomTag tag) {
  OFString text;
  if (item.findAndGetOFString(DcmTagKey(tag.group, tag.element), text).bad() || text.empty())
    return {};
  DicomAttributes one;
  one.values[tag.number()].assign(text.data(), text.size());
  return one.integer(tag, {}, 0, 1 << 30);
}

int required(DcmItem& item, DicomTag tag, int smallest, int largest) {
  const std::optional<int> value = integer(item, tag);
  if (!value) throw InputError(describe(tag) + " is missing", {}, "export the image again");
  if (*value < smallest || *value > largest)
    throw InputError(describe(tag) + " is " + std::to_string(*value) + ", outside " +
                         std::to_string(smallest) + " to " + std::to_string(largest),
                     {}, "export the image again");
  return *value;
}

void check_grey(DcmItem& data) {
  const int samples = integer(data, dicom::samples_per_pixel).value_or(1);
  OFString photometric;
  data.findAndGetOFString(DCM_PhotometricInterpretation, photometric);
  const bool grey =
      photometric.empty() || photometric == "MONOCHROME1" || photometric == "MONOCHROME2";
  if (samples != 1 || !grey)
    throw InputError(
        "is a colour image (" + std::string(photometric.data(), photometric.size()) + ")", {},
        "choose a series of grey-scale CT images");
}

DicomPixelFormat read_format(DcmItem& data) {
  check_grey(data);
  DicomPixelFormat format;
  format.rows = required(data, dicom::rows, 1, 65535);
  format.columns = required(data, dicom::columns, 1, 65535);
  format.frames = std::max(1, integer(data, dicom::number_of_frames).value_or(1));
  format.bits_allocated = required(data, dicom::bits_allocated, 1, 64);
  if (format.bits_allocated != 8 && format.bits_allocated != 16)
    throw InputError("has " + std::to_string(format.bits_allocated) + " bits per pixel", {},
                     "export it with 8 or 16 bits per pixel");
  format.bits_stored = integer(data, dicom::bits_stored).value_or(format.bits_allocated);
  format.high_bit = integer(data, dicom::high_bit).value_or(format.bits_stored - 1);
  format.is_signed = integer(data, dicom::pixel_representation).value_or(0) == 1;
  if (format.bits_stored < 1 || format.bits_stored > format.bits_allocated ||
      format.high_bit >= format.bits_allocated)
    throw InputError("BitsStored " + std::to_string(format.bits_stored) + " and HighBit " +
                         std::to_string(format.high_bit) + " do not fit BitsAllocated " +
                         std::to_string(format.bits_allocated),
                     {}, "export the image again");
  if (format.high_bit != format.bits_stored - 1)  // PS3.5, 8.1.1
    throw InputError("BitsStored " + std::to_string(format.bits_stored) + " and HighBit " +
                         std::to_string(format.high_bit) + " contradict each other",
                     {}, "HighBit must be one less than BitsStored: export the image again");
  return format;
}

template <class Word>
void unpack(const Word* words, const DicomPixelFormat& format, std::span<std::int32_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = with_sign(words[i], format.bits_stored, format.is_signed);
}

bool is_jpeg2000(E_TransferSyntax syntax) {
  return syntax == EXS_JPEG2000LosslessOnly || syntax == EXS_JPEG2000;
}

/// Returns the compressed images of a file; none where the pixels are native (not compressed).
std::vector<Bytes> codestreams_of(DcmDataset& data, const DicomPixelFormat& format) {
  const DcmXfer syntax(data.getOriginalXfer());
  if (!syntax.isEncapsulated()) return {};
  DcmElement* element = nullptr;
  DcmPixelSequence* sequence = nullptr;
  data.findAndGetElement(DCM_PixelData, element);
  auto* pixels = dynamic_cast<DcmPixelData*>(element);
  if (pixels == nullptr ||
      pixels->getEncapsulatedRepresentation(syntax.getXfer(), nullptr, sequence).bad() ||
      sequence == nullptr)
    throw InputError("the compressed pixel data are missing", {},
                     "copy the file again from where it came");
  return read_codestreams(*sequence, format.frames);
}

/// Checks the compressed images before they are decoded, because the decoders invent missing pixels
/// and ignore surplus data. Returns the bits per value that the streams give; 0 where the streams
/// give none (RLE, native pixels).
int check_codestreams(DcmDataset& data, const DicomPixelFormat& format) {
  const bool rle = data.getOriginalXfer() == EXS_RLELossless;
  int precision = 0;
  for (const Bytes& stream : codestreams_of(data, format)) {
    if (rle) {
      check_rle(stream, format);
      continue;
    }
    const int bits = check_jpeg(stream, format);
    if (precision != 0 && bits != precision)
      throw InputError("its compressed images have " + std::to_string(precision) + " and " +
                           std::to_string(bits) + " bits per value",
                       {}, "export the images again");
    precision = bits;
  }
  return precision;
}

std::string syntax_uid(DcmFileFormat& file) {
  OFString uid;
  file.getMetaInfo()->findAndGetOFString(DCM_TransferSyntaxUID, uid);
  return {uid.data(), uid.size()};
}

std::string syntax_name(const std::string& uid) {
  const char* name = dcmFindNameOfUID(uid.c_str());
  std::string text = name == nullptr ? "unknown" : name;
  if (uid.starts_with("1.2.840.10008.1.2.4.20")) text = "High-Throughput JPEG 2000";
  return text.append(" (").append(uid).append(")");
}

[[noreturn]] void refuse_syntax(const std::string& uid) {
  throw InputError("the transfer syntax " + syntax_name(uid) + " cannot be decoded", {},
                   "convert the images to an uncompressed syntax first");
}

/// Throws InputError when the image size in the header needs more memory than is allowed for the
/// file: the decoders allocate memory for that size at once, however little data there are.
/// `decoding` is the memory in bytes that the decoders take; the stored values of one image and the
/// volume of all images are added.
void check_decoding_memory(const DicomPixelFormat& format, double decoding,
                           const std::string& path) {
  const std::size_t bytes = size_of_file(path);
  const auto in_frame = static_cast<double>(format.frame_size());
  const double pixels = in_frame * format.frames;
  const double needed = decoding + in_frame * sizeof(std::int32_t) + pixels * sizeof(float);
  require_allowed_memory("claims " + std::to_string(static_cast<long long>(pixels)) +
                             " pixels in " + format_bytes(bytes),
                         static_cast<std::size_t>(std::min(needed, 1e18)), bytes, {});
}

/// Returns the memory in bytes that DCMTK takes: all images in words of 16 bits and, for one image,
/// the planes and coefficients of a JPEG.
double library_memory(const DicomPixelFormat& format) {
  const auto in_frame = static_cast<double>(format.frame_size());
  return in_frame * format.frames * sizeof(std::uint16_t) + in_frame * 8;
}

double largest_jpeg2000_memory(const std::vector<Bytes>& codestreams) {
  std::size_t largest = 0;
  for (const Bytes& one : codestreams) largest = std::max(largest, jpeg2000_memory(one));
  return static_cast<double>(largest);
}

/// Throws InputError when `count` is not the number of values that the header says. One value more
/// is allowed as padding where values have 8 bits and their number is odd.
void check_count(const DicomPixelFormat& format, std::size_t count) {
  const std::size_t needed = format.frame_size() * static_cast<std::size_t>(format.frames);
  const std::size_t padded = needed + (format.bits_allocated == 8 ? needed % 2 : 0);
  if (count == needed || count == padded) return;
  throw InputError("holds " + std::to_string(count) + " pixels instead of " +
                       std::to_string(format.columns) + " x " + std::to_string(format.rows) +
                       (format.frames > 1 ? " x " + std::to_string(format.frames) : "") + " = " +
                       std::to_string(needed),
                   {},
                   count < needed ? "the file is cut short: copy it again from where it came"
                                  : "Rows, Columns or NumberOfFrames is wrong: export it again");
}

}  // namespace

struct DicomPixels::Impl {
  std::string path;
  DcmFileFormat file;
  DicomPixelFormat format;
  const Uint16* words = nullptr;   // native pixels of 16 bits, in `file`
  const Uint8* bytes = nullptr;    // native pixels of 8 bits, in `file`
  std::vector<Bytes> codestreams;  // JPEG 2000, by image
  std::vector<std::string> notes;

  void load();
  void open_jpeg2000();
  void open_native();
  void decode_native(const std::string& uid);
  /// Adds a note unless it is empty or was added before.
  void add_note(const std::string& note);
};

void DicomPixels::Impl::load() {
  start_dicom();
  const OFCondition status = load_dicom_tree(file, path, DicomExtent::whole);
  if (status.bad())
    throw InputError(std::string("is damaged or cut short (DICOM: ") + status.text() + ")", {},
                     "copy it again from where it came");
  const std::string uid = syntax_uid(file);
  if (!uid.empty() && DcmXfer(uid.c_str()).getXfer() == EXS_Unknown) refuse_syntax(uid);
  const E_TransferSyntax syntax = file.getDataset()->getOriginalXfer();
  if (!file.getDataset()->tagExists(DCM_PixelData))
    throw InputError("has no pixel data", {}, "choose a file that holds an image");
  check_grey(*file.getDataset());
  if (is_jpeg2000(syntax))
    open_jpeg2000();
  else
    open_native();
}

void DicomPixels::Impl::open_jpeg2000() {
  format = read_format(*file.getDataset());
  codestreams = codestreams_of(*file.getDataset(), format);
  check_decoding_memory(format, largest_jpeg2000_memory(codestreams), path);
  for (const Bytes& codestream : codestreams) {
    check_jpeg2000(codestream, format.columns, format.rows);
    check_jpeg2000_end(codestream);
  }
  file.clear();
}

void DicomPixels::Impl::open_native() {
  DcmDataset& data = *file.getDataset();
  const std::string uid = syntax_uid(file);
  const DcmXfer syntax(data.getOriginalXfer());
  if (syntax.isEncapsulated() &&
      !DcmCodecList::canChangeCoding(syntax.getXfer(), EXS_LittleEndianExplicit))
    refuse_syntax(uid);
  int precision = 0;
  DicomPixelFormat claimed;
  if (syntax.isEncapsulated()) {
    claimed = read_format(data);
    check_decoding_memory(claimed, library_memory(claimed), path);
    precision = check_codestreams(data, claimed);
  }
  decode_native(uid);
  format = read_format(data);  // decoding may have changed the format
  unsigned long count = 0;
  if (format.bits_allocated == 8)
    data.findAndGetUint8Array(DCM_PixelData, bytes, &count);
  else
    data.findAndGetUint16Array(DCM_PixelData, words, &count);
  if (bytes == nullptr && words == nullptr) count = 0;
  check_count(format, count);
  if (precision == 0) return;
  add_note(bytes != nullptr ? check_precision({bytes, count}, precision, claimed)
                            : check_precision({words, count}, precision, claimed));
}

void DicomPixels::Impl::add_note(const std::string& note) {
  if (!note.empty() && std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

void DicomPixels::Impl::decode_native(const std::string& uid) {
  const DecoderWarnings warnings;
  if (file.getDataset()->chooseRepresentation(EXS_LittleEndianExplicit, nullptr).bad())
    throw InputError("the pixel data are damaged, as " + syntax_name(uid), {},
                     "copy the file again from where it came");
  if (const std::string damage = warnings.of_damage(); !damage.empty())
    throw InputError("the pixel data are damaged, as " + syntax_name(uid) + " (" + damage + ")", {},
                     "copy the file again from where it came");
  for (const std::string& line : warnings.lines()) notes.push_back("its decoder warns: " + line);
}

DicomPixels::DicomPixels(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  try {
    impl_->load();
  } catch (const InputError& error) {
    if (std::string_view(error.what()).starts_with(path + ": "))
      throw;  // the message names the file already
    throw InputError(error.what(), path);
  } catch (const std::bad_alloc&) {
    throw memory_exceeded(path);
  }
}

DicomPixels::~DicomPixels() = default;
DicomPixels::DicomPixels(DicomPixels&&) noexcept = default;
DicomPixels& DicomPixels::operator=(DicomPixels&&) noexcept = default;

const DicomPixelFormat& DicomPixels::format() const { return impl_->format; }
const std::vector<std::string>& DicomPixels::notes() const { return impl_->notes; }

void DicomPixels::read(int frame, std::span<std::int32_t> values) const {
  const DicomPixelFormat& format = impl_->format;
  if (frame < 0 || frame >= format.frames || values.size() != format.frame_size())
    throw ShapeError("frame " + std::to_string(frame) + " or its buffer does not fit", impl_->path);
  const std::size_t first = static_cast<std::size_t>(frame) * values.size();
  if (impl_->codestreams.empty()) {
    if (impl_->bytes != nullptr)
      unpack(impl_->bytes + first, format, values);
    else
      unpack(impl_->words + first, format, values);
    return;
  }
  try {
    const Bytes& codestream = impl_->codestreams[static_cast<std::size_t>(frame)];
    const Jpeg2000Image image = decode_jpeg2000(codestream, format.columns, format.rows);
    impl_->add_note(unpack_jpeg2000(image, format, values));
    for (const std::string& warning : image.warnings)
      impl_->add_note("its decoder warns: " + warning);
  } catch (const InputError& error) {
    throw InputError(error.what(), impl_->path);
  } catch (const std::bad_alloc&) {
    throw memory_exceeded(impl_->path);
  }
}

}  // namespace gantry
