#include "core/io/dicom_pixels.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom_file.hpp"
#include "core/io/dicom_tree.hpp"
#include "core/io/jpeg2000.hpp"
#include "core/io/jpeg2000_claim.hpp"
#include "core/io/memory_allowance.hpp"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dccodec.h>
#include <dcmtk/dcmdata/dcpixel.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmdata/dctk.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>
#include <vector>

namespace gantry {

namespace {

using Bytes = std::vector<std::uint8_t>;

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
      format.high_bit < format.bits_stored - 1 || format.high_bit >= format.bits_allocated)
    throw InputError("BitsStored " + std::to_string(format.bits_stored) + " and HighBit " +
                         std::to_string(format.high_bit) + " do not fit BitsAllocated " +
                         std::to_string(format.bits_allocated),
                     {}, "export the image again");
  return format;
}

std::int32_t with_sign(std::uint32_t bits, int count, bool is_signed) {
  bits &= (std::uint32_t{1} << count) - 1;
  const std::uint32_t sign = std::uint32_t{1} << (count - 1);
  if (is_signed && (bits & sign) != 0) return static_cast<std::int32_t>(bits - (sign << 1));
  return static_cast<std::int32_t>(bits);
}

template <class Word>
void unpack(const Word* words, const DicomPixelFormat& format, std::span<std::int32_t> values) {
  const int shift = format.high_bit + 1 - format.bits_stored;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = with_sign(static_cast<std::uint32_t>(words[i]) >> shift, format.bits_stored,
                          format.is_signed);
}

/// A codestream's sign may contradict PixelRepresentation, which is right: the bits are the same.
void unpack(const Jpeg2000Image& image, const DicomPixelFormat& format,
            std::span<std::int32_t> values) {
  const int bits = std::min(image.precision, format.bits_stored);
  const int kept = image.is_signed == format.is_signed ? image.precision : bits;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = with_sign(static_cast<std::uint32_t>(image.values[i]), kept, format.is_signed);
}

bool is_jpeg2000(E_TransferSyntax syntax) {
  return syntax == EXS_JPEG2000LosslessOnly || syntax == EXS_JPEG2000;
}

bool starts_codestream(const Bytes& fragment) {
  static constexpr std::uint8_t codestream[] = {0xff, 0x4f, 0xff, 0x51};
  static constexpr std::uint8_t jp2[] = {0, 0, 0, 12, 'j', 'P', ' ', ' '};
  const auto starts = [&](auto& magic) {
    return fragment.size() > std::size(magic) &&
           std::equal(std::begin(magic), std::end(magic), fragment.begin());
  };
  return starts(codestream) || starts(jp2);
}

std::vector<Bytes> read_fragments(DcmPixelSequence& sequence) {
  std::vector<Bytes> fragments;
  for (unsigned long i = 1; i < sequence.card(); ++i) {  // item 0 is the offset table
    DcmPixelItem* item = nullptr;
    Uint8* bytes = nullptr;
    if (sequence.getItem(item, i).bad() || item == nullptr || item->getUint8Array(bytes).bad() ||
        bytes == nullptr)
      throw InputError("the compressed pixel data are cut short", {},
                       "copy the file again from where it came");
    fragments.emplace_back(bytes, bytes + item->getLength());
  }
  return fragments;
}

/// A frame may be spread over fragments; each frame starts a codestream. The offset table says the
/// same where it is filled, which it need not be.
std::vector<Bytes> join_frames(std::vector<Bytes> fragments, int frames) {
  std::vector<Bytes> joined;
  for (Bytes& fragment : fragments) {
    const bool next = joined.empty() || (frames > 1 && starts_codestream(fragment));
    if (next)
      joined.push_back(std::move(fragment));
    else
      joined.back().insert(joined.back().end(), fragment.begin(), fragment.end());
  }
  if (joined.size() < static_cast<std::size_t>(frames))
    throw InputError("holds " + std::to_string(joined.size()) + " compressed images instead of " +
                         std::to_string(frames),
                     {}, "copy the file again from where it came");
  return joined;
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

std::size_t size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  return error ? 0 : static_cast<std::size_t>(bytes);
}

/// The decoders believe the headers and ask for that much memory at once. `decoding` is the memory,
/// in bytes, that they take; the stored values of one image and the volume of all come on top.
void check_claim(const DicomPixelFormat& format, double decoding, const std::string& path) {
  const std::size_t bytes = size_of(path);
  const auto in_frame = static_cast<double>(format.frame_size());
  const double pixels = in_frame * format.frames;
  const double needed = decoding + in_frame * sizeof(std::int32_t) + pixels * sizeof(float);
  require_allowed_memory("claims " + std::to_string(static_cast<long long>(pixels)) +
                             " pixels in " + format_bytes(bytes),
                         static_cast<std::size_t>(std::min(needed, 1e18)), bytes, {});
}

/// All images as words, and for one of them the planes and coefficients of a JPEG.
double library_memory(const DicomPixelFormat& format) {
  const auto in_frame = static_cast<double>(format.frame_size());
  return in_frame * format.frames * sizeof(std::uint16_t) + in_frame * 8;
}

double largest_jpeg2000_memory(const std::vector<Bytes>& codestreams) {
  std::size_t largest = 0;
  for (const Bytes& one : codestreams) largest = std::max(largest, jpeg2000_memory(one));
  return static_cast<double>(largest);
}

}  // namespace

struct DicomPixels::Impl {
  std::string path;
  DcmFileFormat file;
  DicomPixelFormat format;
  const Uint16* words = nullptr;  // of `file`
  const Uint8* bytes = nullptr;
  std::vector<Bytes> codestreams;

  void load();
  void open_jpeg2000(E_TransferSyntax syntax);
  void open_native();
};

void DicomPixels::Impl::load() {
  start_dicom();
  const OFCondition status = load_dicom_tree(file, path, DicomExtent::whole);
  if (status.bad())
    throw InputError(std::string("is damaged or cut short (") + status.text() + ")", {},
                     "copy it again from where it came");
  const std::string uid = syntax_uid(file);
  if (!uid.empty() && DcmXfer(uid.c_str()).getXfer() == EXS_Unknown) refuse_syntax(uid);
  const E_TransferSyntax syntax = file.getDataset()->getOriginalXfer();
  if (!file.getDataset()->tagExists(DCM_PixelData))
    throw InputError("has no pixel data", {}, "choose a file that holds an image");
  check_grey(*file.getDataset());
  if (is_jpeg2000(syntax))
    open_jpeg2000(syntax);
  else
    open_native();
}

void DicomPixels::Impl::open_jpeg2000(E_TransferSyntax syntax) {
  DcmElement* element = nullptr;
  DcmPixelSequence* sequence = nullptr;
  file.getDataset()->findAndGetElement(DCM_PixelData, element);
  auto* pixels = dynamic_cast<DcmPixelData*>(element);
  if (pixels == nullptr || pixels->getEncapsulatedRepresentation(syntax, nullptr, sequence).bad() ||
      sequence == nullptr)
    throw InputError("the compressed pixel data are missing", {},
                     "copy the file again from where it came");
  format = read_format(*file.getDataset());
  codestreams = join_frames(read_fragments(*sequence), format.frames);
  check_claim(format, largest_jpeg2000_memory(codestreams), path);
  for (const Bytes& codestream : codestreams)
    check_jpeg2000(codestream, format.columns, format.rows);
  file.clear();
}

void DicomPixels::Impl::open_native() {
  DcmDataset& data = *file.getDataset();
  const std::string uid = syntax_uid(file);
  const DcmXfer syntax(data.getOriginalXfer());
  if (syntax.isEncapsulated() &&
      !DcmCodecList::canChangeCoding(syntax.getXfer(), EXS_LittleEndianExplicit))
    refuse_syntax(uid);
  if (syntax.isEncapsulated()) {
    const DicomPixelFormat claimed = read_format(data);
    check_claim(claimed, library_memory(claimed), path);
  }
  if (data.chooseRepresentation(EXS_LittleEndianExplicit, nullptr).bad())
    throw InputError("the pixel data are damaged, as " + syntax_name(uid), {},
                     "copy the file again from where it came");
  format = read_format(data);  // decoding may have changed it
  unsigned long count = 0;
  if (format.bits_allocated == 8)
    data.findAndGetUint8Array(DCM_PixelData, bytes, &count);
  else
    data.findAndGetUint16Array(DCM_PixelData, words, &count);
  const std::size_t needed = format.frame_size() * static_cast<std::size_t>(format.frames);
  if (count < needed || (bytes == nullptr && words == nullptr))
    throw InputError("holds " + std::to_string(count) + " pixels instead of " +
                         std::to_string(format.columns) + " x " + std::to_string(format.rows) +
                         (format.frames > 1 ? " x " + std::to_string(format.frames) : "") + " = " +
                         std::to_string(needed),
                     {}, "the file is cut short: copy it again from where it came");
}

DicomPixels::DicomPixels(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  try {
    impl_->load();
  } catch (const InputError& error) {
    throw InputError(error.what(), path);
  } catch (const std::bad_alloc&) {
    throw memory_exceeded(path);
  }
}

DicomPixels::~DicomPixels() = default;
DicomPixels::DicomPixels(DicomPixels&&) noexcept = default;
DicomPixels& DicomPixels::operator=(DicomPixels&&) noexcept = default;

const DicomPixelFormat& DicomPixels::format() const { return impl_->format; }

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
    unpack(decode_jpeg2000(codestream, format.columns, format.rows), format, values);
  } catch (const InputError& error) {
    throw InputError(error.what(), impl_->path);
  } catch (const std::bad_alloc&) {
    throw memory_exceeded(impl_->path);
  }
}

}  // namespace gantry
