#include "core/io/dicom/pixels/jpeg2000.hpp"

#include "core/base/error.hpp"

#include <openjpeg.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

namespace gantry {

namespace {

struct Reader {
  std::span<const std::uint8_t> bytes;
  std::size_t position = 0;
};

OPJ_SIZE_T read_bytes(void* buffer, OPJ_SIZE_T count, void* user) {
  auto& reader = *static_cast<Reader*>(user);
  const std::size_t rest = reader.bytes.size() - reader.position;
  if (rest == 0) return static_cast<OPJ_SIZE_T>(-1);
  const std::size_t taken = std::min<std::size_t>(count, rest);
  std::memcpy(buffer, reader.bytes.data() + reader.position, taken);
  reader.position += taken;
  return taken;
}

OPJ_OFF_T skip_bytes(OPJ_OFF_T count, void* user) {
  auto& reader = *static_cast<Reader*>(user);
  if (count < 0) return -1;
  const std::size_t rest = reader.bytes.size() - reader.position;
  const std::size_t taken = std::min(static_cast<std::size_t>(count), rest);
  reader.position += taken;
  return static_cast<OPJ_OFF_T>(taken);
}

OPJ_BOOL seek_to(OPJ_OFF_T position, void* user) {
  auto& reader = *static_cast<Reader*>(user);
  if (position < 0 || static_cast<std::size_t>(position) > reader.bytes.size()) return OPJ_FALSE;
  reader.position = static_cast<std::size_t>(position);
  return OPJ_TRUE;
}

void keep_message(const char* message, void* user) {
  *static_cast<std::string*>(user) = message == nullptr ? "" : message;
}

void ignore_message(const char*, void*) {}

/// Keeps different messages only, at most 20, which are enough for a user.
void collect_message(const char* message, void* user) {
  constexpr std::size_t most = 20;
  auto& lines = *static_cast<std::vector<std::string>*>(user);
  std::string line = message == nullptr ? "" : message;
  std::erase(line, '\n');
  if (lines.size() < most && std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
}

template <auto destroy>
struct With {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using Codec = std::unique_ptr<opj_codec_t, With<opj_destroy_codec>>;
using Stream = std::unique_ptr<opj_stream_t, With<opj_stream_destroy>>;
using Image = std::unique_ptr<opj_image_t, With<opj_image_destroy>>;

[[noreturn]] void fail(std::string reason) {
  while (!reason.empty() && (reason.back() == '\n' || reason.back() == ' ')) reason.pop_back();
  throw InputError("the JPEG 2000 data cannot be decoded" +
                       (reason.empty() ? std::string() : " (" + reason + ")"),
                   {}, "copy the file again from where it came");
}

Stream open_stream(Reader& reader) {
  Stream stream(opj_stream_default_create(OPJ_TRUE));
  if (!stream) fail("out of memory");
  opj_stream_set_user_data(stream.get(), &reader, nullptr);
  opj_stream_set_user_data_length(stream.get(), reader.bytes.size());
  opj_stream_set_read_function(stream.get(), read_bytes);
  opj_stream_set_skip_function(stream.get(), skip_bytes);
  opj_stream_set_seek_function(stream.get(), seek_to);
  return stream;
}

/// Returns a decoder in strict mode, in which a stream that is cut short is an error instead of an
/// image with invented pixels.
Codec open_codec(std::span<const std::uint8_t> bytes, std::string& error,
                 std::vector<std::string>& warnings) {
  const bool codestream = bytes.size() > 2 && bytes[0] == 0xff && bytes[1] == 0x4f;
  Codec codec(opj_create_decompress(codestream ? OPJ_CODEC_J2K : OPJ_CODEC_JP2));
  if (!codec) fail("out of memory");
  opj_set_error_handler(codec.get(), keep_message, &error);
  opj_set_warning_handler(codec.get(), collect_message, &warnings);
  opj_set_info_handler(codec.get(), ignore_message, nullptr);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  if (opj_setup_decoder(codec.get(), &parameters) == OPJ_FALSE ||
      opj_decoder_set_strict_mode(codec.get(), OPJ_TRUE) == OPJ_FALSE)
    fail(error);
  return codec;
}

/// Throws InputError when the header does not fit. Called before the pixels are decoded, because a
/// damaged header may make the decoder allocate gigabytes.
void check_header(const opj_image_t& image, int columns, int rows) {
  const auto width = static_cast<long long>(image.x1) - image.x0;
  const auto height = static_cast<long long>(image.y1) - image.y0;
  if (image.numcomps != 1) fail(std::to_string(image.numcomps) + " components instead of one");
  if (width != columns || height != rows)
    fail("it holds " + std::to_string(width) + " x " + std::to_string(height) +
         " pixels instead of " + std::to_string(columns) + " x " + std::to_string(rows));
  if (image.comps[0].prec < 1 || image.comps[0].prec > 16)
    fail(std::to_string(image.comps[0].prec) + " bits per pixel");
}

/// A decoder that has read the header. Its members refer to one another, therefore the object can
/// be neither copied nor moved.
struct Decoder {
  Decoder(std::span<const std::uint8_t> bytes, int columns, int rows)
      : reader{bytes}, stream(open_stream(reader)), codec(open_codec(bytes, error, warnings)) {
    opj_image_t* raw = nullptr;
    const bool opened = opj_read_header(stream.get(), codec.get(), &raw) == OPJ_TRUE;
    image.reset(raw);
    if (!opened || !image) fail(error);
    check_header(*image, columns, rows);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  std::string error;
  std::vector<std::string> warnings;
  Reader reader;
  Stream stream;
  Codec codec;
  Image image;
};

}  // namespace

void check_jpeg2000(std::span<const std::uint8_t> bytes, int columns, int rows) {
  const Decoder decoder(bytes, columns, rows);
}

Jpeg2000Image decode_jpeg2000(std::span<const std::uint8_t> bytes, int columns, int rows) {
  Decoder decoder(bytes, columns, rows);
  opj_image_t& image = *decoder.image;
  if (opj_decode(decoder.codec.get(), decoder.stream.get(), &image) == OPJ_FALSE)
    fail(decoder.error);
  const opj_image_comp_t& component = image.comps[0];
  if (component.data == nullptr || component.w != static_cast<OPJ_UINT32>(columns) ||
      component.h != static_cast<OPJ_UINT32>(rows))
    fail("it is cut short");
  const std::size_t count = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  return {columns,
          rows,
          static_cast<int>(component.prec),
          component.sgnd != 0,
          std::vector<std::int32_t>(component.data, component.data + count),
          decoder.warnings};
}

}  // namespace gantry
