#include "core/io/dicom/series/dicom_images.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/decoder/decoder_process.hpp"
#include "core/io/dicom/file/dicom_file.hpp"

#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// Holds a decoder process during its life and then keeps the process for the next DecoderHold,
/// because starting a decoder takes as long as reading many files.
class DecoderHold {
 public:
  DecoderHold() : process_(take_idle()) {
    if (!process_ || !process_->alive()) process_ = DecoderProcess::start();
  }
  ~DecoderHold() {
    if (!process_ || !process_->alive()) return;
    process_->close_file();
    static const int registered = std::atexit([] { take_idle().reset(); });
    (void)registered;
    const std::scoped_lock lock(mutex());
    if (!idle()) idle() = std::move(process_);
  }
  DecoderHold(const DecoderHold&) = delete;
  DecoderHold& operator=(const DecoderHold&) = delete;

  /// Returns the decoder; nullptr where none can be started.
  DecoderProcess* get() const { return process_.get(); }

 private:
  static std::unique_ptr<DecoderProcess> take_idle() {
    const std::scoped_lock lock(mutex());
    return std::move(idle());
  }
  // Never destroyed, because threads may still read while the program ends. The decoder ends with
  // the program in any case.
  static std::mutex& mutex() {
    static std::mutex& one = *new std::mutex;
    return one;
  }
  static std::unique_ptr<DecoderProcess>& idle() {
    static std::unique_ptr<DecoderProcess>& one = *new std::unique_ptr<DecoderProcess>;
    return one;
  }

  std::unique_ptr<DecoderProcess> process_;
};

std::string text_of(const DecoderProcess& decoder, const wire::Answer& answer) {
  std::string bytes(static_cast<std::size_t>(answer.bytes), '\0');
  decoder.copy_result(bytes.data(), bytes.size(), 0);
  return bytes;
}

}  // namespace

std::optional<DicomHeader> read_dicom_header(const std::string& path) {
  if (!may_be_dicom(path)) return {};
  const DecoderHold hold;
  if (hold.get() == nullptr) return decode_dicom_header(path);
  const wire::Answer answer = hold.get()->ask(wire::What::header, path);
  if (answer.outcome == wire::Outcome::not_dicom) return {};
  return wire::unpack_header(text_of(*hold.get(), answer));
}

struct DicomImages::Impl {
  explicit Impl(const std::string& file) : path(file) {
    if (hold.get() == nullptr) {
      here.emplace(path);
      format = here->format();
      return;
    }
    noted = hold.get()->ask(wire::What::open, path).notes;
    hold.get()->copy_result(&format, sizeof format, 0);
    if (format.frames == 1) current = 0;
  }

  /// Makes image `frame` the decoder's last result.
  void require_frame(int frame) {
    if (current == frame) return;
    current = -1;
    noted = hold.get()->ask(wire::What::frame, path, frame).notes;
    current = frame;
  }
  void fetch_notes() {
    if (here || notes.size() == noted) return;
    current = -1;  // the notes overwrite the image
    notes = wire::unpack_lines(text_of(*hold.get(), hold.get()->ask(wire::What::notes, path)));
  }

  std::string path;
  DecoderHold hold;
  std::optional<DicomPixels> here;  // set where there is no decoder process
  DicomPixelFormat format;
  int current = -1;       // index of the image in the decoder's last result, -1: none
  std::size_t noted = 0;  // number of notes that the decoder has
  std::vector<std::string> notes;
};

DicomImages::DicomImages(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
DicomImages::~DicomImages() = default;
DicomImages::DicomImages(DicomImages&&) noexcept = default;
DicomImages& DicomImages::operator=(DicomImages&&) noexcept = default;

const DicomPixelFormat& DicomImages::format() const { return impl_->format; }

const std::vector<std::string>& DicomImages::notes() const {
  if (impl_->here) return impl_->here->notes();
  impl_->fetch_notes();
  return impl_->notes;
}

void DicomImages::read(int frame, std::span<std::int32_t> values) const {
  if (impl_->here) return impl_->here->read(frame, values);
  if (frame < 0 || frame >= impl_->format.frames || values.size() != impl_->format.frame_size())
    throw ShapeError("frame " + std::to_string(frame) + " or its buffer does not fit", impl_->path);
  impl_->require_frame(frame);
  impl_->hold.get()->copy_result(values.data(), values.size_bytes(), wire::values_at);
}

}  // namespace gantry
