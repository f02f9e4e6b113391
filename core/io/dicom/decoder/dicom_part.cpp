#include "core/io/dicom/decoder/dicom_part.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/decoder/dicom_wire.hpp"
#include "core/io/dicom/pixels/dicom_pixels.hpp"

#include <optional>
#include <span>
#include <vector>

namespace gantry {

namespace {

class DicomPart final : public DecoderPart {
 public:
  wire::Answer answer(const wire::Request& request, const std::string& text,
                      DecoderResults& results) override {
    if (request.what == wire::What::dicom_header) {
      const auto header = decode_dicom_header(text);
      if (!header) return {wire::Outcome::nothing, 0, 0};
      return results.packed(wire::pack(*header));
    }
    if (request.what == wire::What::dicom_open) {
      pixels_.emplace(text);
      const DicomPixelFormat format = pixels_->format();
      wire::Answer answer{wire::Outcome::done, notes(), sizeof format};
      if (format.frames == 1) answer = read_frame(0, results);
      results.write(&format, sizeof format);
      return answer;
    }
    if (request.what == wire::What::dicom_notes)
      return results.packed(wire::pack(pixels_ ? pixels_->notes() : std::vector<std::string>()));
    return read_frame(static_cast<int>(request.index), results);
  }

 private:
  wire::Answer read_frame(int frame, DecoderResults& results) {
    if (!pixels_) throw UsageError("no file is open", "gantry-decoder");
    const std::size_t count = pixels_->format().frame_size();
    const std::span<std::byte> room = results.room(wire::values_at + count * sizeof(std::int32_t));
    pixels_->read(frame, {reinterpret_cast<std::int32_t*>(room.data() + wire::values_at), count});
    return {wire::Outcome::done, notes(), room.size()};
  }

  std::uint32_t notes() const { return static_cast<std::uint32_t>(pixels_->notes().size()); }

  std::optional<DicomPixels> pixels_;
};

}  // namespace

std::unique_ptr<DecoderPart> dicom_part() { return std::make_unique<DicomPart>(); }

}  // namespace gantry
