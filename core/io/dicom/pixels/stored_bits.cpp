#include "core/io/dicom/pixels/stored_bits.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace gantry {

namespace {

std::string contradiction(int precision, const DicomPixelFormat& format) {
  return "its compressed pixels have " + std::to_string(precision) +
         " bits each, its header says BitsStored " + std::to_string(format.bits_stored);
}

[[noreturn]] void refuse(const std::string& what) {
  throw InputError(what + ": it is not known which of the two is right", {},
                   "export the image again, uncompressed if possible");
}

std::string harmless(const std::string& what) { return what + ": the values fit both"; }

template <class Word>
std::string check_words(std::span<const Word> values, int precision,
                        const DicomPixelFormat& format) {
  if (precision == format.bits_stored) return {};
  const std::string what = contradiction(precision, format);
  const auto reads_alike = [&](Word value) {
    return with_sign(value, precision, format.is_signed) ==
           with_sign(value, format.bits_stored, format.is_signed);
  };
  if (!std::ranges::all_of(values, reads_alike)) refuse(what);
  return harmless(what);
}

std::string check_jpeg2000_bits(const Jpeg2000Image& image, const DicomPixelFormat& format) {
  if (image.precision == format.bits_stored) return {};
  const std::string what = contradiction(image.precision, format);
  const std::int32_t above = std::int32_t{1} << (format.bits_stored - (image.is_signed ? 1 : 0));
  const std::int32_t below = image.is_signed ? -above : 0;
  const auto fits = [&](std::int32_t value) { return value >= below && value < above; };
  if (!std::ranges::all_of(image.values, fits)) refuse(what);
  return harmless(what);
}

/// Returns the number of jumps between neighbouring pixels by half the range of `bits` or more.
/// Values read with the wrong sign jump wherever they should pass through zero; correctly read CT
/// values hardly ever jump so far.
std::size_t count_wraps(std::span<const std::int32_t> values, int bits) {
  const std::int32_t half = std::int32_t{1} << (bits - 1);
  std::size_t count = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (std::abs(values[i] - values[i - 1]) >= half) ++count;
  return count;
}

/// Reads the values of an unsigned codestream as signed where the header says signed. Some writers
/// compress the bits of signed values as if they were unsigned: values around zero then lie near
/// both ends of the unsigned range, and reading them as signed removes jumps. If instead the sign
/// in the codestream is wrong, the values are off by half their range: values around zero lie near
/// the middle, and reading them as signed adds jumps. Throws InputError unless jumps are removed or
/// the values are so small that both readings agree.
std::string unpack_other_sign(const Jpeg2000Image& image, const DicomPixelFormat& format,
                              std::span<std::int32_t> values) {
  const std::string what =
      std::string("its JPEG 2000 data are ") + (image.is_signed ? "signed" : "unsigned") +
      ", its header says PixelRepresentation " + (format.is_signed ? "1 (signed)" : "0 (unsigned)");
  if (image.is_signed || image.precision != format.bits_stored) refuse(what);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = with_sign(static_cast<std::uint32_t>(image.values[i]), image.precision, true);
  const std::int32_t quarter = std::int32_t{1} << std::max(0, image.precision - 2);
  if (std::ranges::max(image.values) < quarter) return harmless(what);
  if (count_wraps(values, image.precision) >= count_wraps(image.values, image.precision))
    refuse(what);
  return what +
         ": they are read as signed, because neighbouring pixels would otherwise differ by half "
         "the range";
}

}  // namespace

std::int32_t with_sign(std::uint32_t bits, int count, bool is_signed) {
  bits &= (std::uint32_t{1} << count) - 1;
  const std::uint32_t sign = std::uint32_t{1} << (count - 1);
  if (is_signed && (bits & sign) != 0) return static_cast<std::int32_t>(bits - (sign << 1));
  return static_cast<std::int32_t>(bits);
}

std::string check_precision(std::span<const std::uint8_t> values, int precision,
                            const DicomPixelFormat& format) {
  return check_words(values, precision, format);
}
std::string check_precision(std::span<const std::uint16_t> values, int precision,
                            const DicomPixelFormat& format) {
  return check_words(values, precision, format);
}

std::string unpack_jpeg2000(const Jpeg2000Image& image, const DicomPixelFormat& format,
                            std::span<std::int32_t> values) {
  if (image.is_signed != format.is_signed) return unpack_other_sign(image, format, values);
  std::string note = check_jpeg2000_bits(image, format);
  std::ranges::copy(image.values, values.begin());
  return note;
}

}  // namespace gantry
