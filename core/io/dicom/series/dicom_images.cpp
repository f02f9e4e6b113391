#include "core/io/dicom/series/dicom_images.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/decoder/dicom_wire.hpp"
#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/files/decoder/decoder_process.hpp"
#include "core/io/files/decoder/limits.hpp"
#include "core/io/files/disk.hpp"

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

/// Returns a request about a file; only a request to open it says its path.
DecoderRequest about(const std::string& path, wire::What what, int frame = 0) {
  DecoderRequest request;
  request.what = what;
  if (what == wire::What::dicom_header || what == wire::What::dicom_open) request.text = path;
  request.index = static_cast<std::uint64_t>(frame);
  request.where = path;
  request.seconds = decoding_seconds(size_of_file(path));
  return request;
}

}  // namespace

std::optional<DicomHeader> read_dicom_header(const std::string& path) {
  if (!may_be_dicom(path)) return {};
  const DecoderHold hold;
  if (hold.get() == nullptr) return decode_dicom_header(path);
  const wire::Answer answer = hold.get()->ask(about(path, wire::What::dicom_header));
  if (answer.outcome == wire::Outcome::nothing) return {};
  return wire::unpack_header(hold.get()->result_of(answer));
}

struct DicomImages::Impl {
  explicit Impl(const std::string& file) : path(file) {
    if (hold.get() != nullptr) hold.get()->send_ahead(about(path, wire::What::dicom_open));
  }

  void require_open() {
    if (is_open) return;
    if (hold.get() == nullptr) {
      here.emplace(path);
      format = here->format();
    } else {
      noted = hold.get()->ask(about(path, wire::What::dicom_open)).notes;
      hold.get()->copy_result(&format, sizeof format, 0);
      if (format.frames == 1) current = 0;
    }
    is_open = true;
  }

  /// Makes image `frame` the decoder's last result.
  void require_frame(int frame) {
    if (current == frame) return;
    current = -1;
    noted = hold.get()->ask(about(path, wire::What::dicom_frame, frame)).notes;
    current = frame;
  }
  void fetch_notes() {
    if (here || notes.size() == noted) return;
    current = -1;  // the notes overwrite the image
    notes = wire::unpack_lines(
        hold.get()->result_of(hold.get()->ask(about(path, wire::What::dicom_notes))));
  }

  std::string path;
  DecoderHold hold;
  std::optional<DicomPixels> here;  // set where there is no decoder process
  DicomPixelFormat format;
  bool is_open = false;
  int current = -1;       // index of the image in the decoder's last result, -1: none
  std::size_t noted = 0;  // number of notes that the decoder has
  std::vector<std::string> notes;
};

DicomImages::DicomImages(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
DicomImages::~DicomImages() = default;
DicomImages::DicomImages(DicomImages&&) noexcept = default;
DicomImages& DicomImages::operator=(DicomImages&&) noexcept = default;

const DicomPixelFormat& DicomImages::format() const {
  impl_->require_open();
  return impl_->format;
}

const std::vector<std::string>& DicomImages::notes() const {
  if (impl_->here) return impl_->here->notes();
  impl_->fetch_notes();
  return impl_->notes;
}

void DicomImages::read(int frame, std::span<std::int32_t> values) const {
  impl_->require_open();
  if (impl_->here) return impl_->here->read(frame, values);
  if (frame < 0 || frame >= impl_->format.frames || values.size() != impl_->format.frame_size())
    throw ShapeError("frame " + std::to_string(frame) + " or its buffer does not fit", impl_->path);
  impl_->require_frame(frame);
  impl_->hold.get()->copy_result(values.data(), values.size_bytes(), wire::values_at);
}

}  // namespace gantry
