#include "core/io/dicom_images.hpp"

#include "core/base/error.hpp"
#include "core/io/decoder/decoder_process.hpp"
#include "core/io/dicom_file.hpp"

#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace gantry {

namespace {

/// A decoder for the time of its life. One that is idle is kept for the next who asks: starting it
/// costs as much as many files.
class Lease {
 public:
  Lease() : process_(take_idle()) {
    if (!process_ || !process_->alive()) process_ = DecoderProcess::start();
  }
  ~Lease() {
    if (!process_ || !process_->alive()) return;
    process_->close_file();
    static const int registered = std::atexit([] { take_idle().reset(); });
    (void)registered;
    const std::scoped_lock lock(mutex());
    if (!idle()) idle() = std::move(process_);
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// nullptr where there is no such program.
  DecoderProcess* get() const { return process_.get(); }

 private:
  static std::unique_ptr<DecoderProcess> take_idle() {
    const std::scoped_lock lock(mutex());
    return std::move(idle());
  }
  // Never destroyed: threads may still read while the program ends, which ends the decoder too.
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

}  // namespace

std::optional<DicomHeader> read_dicom_header(const std::string& path) {
  if (!may_be_dicom(path)) return {};
  const Lease lease;
  if (lease.get() == nullptr) return decode_dicom_header(path);
  const wire::Answer answer = lease.get()->ask(wire::What::header, path);
  if (answer.outcome == wire::Outcome::not_dicom) return {};
  std::string bytes(static_cast<std::size_t>(answer.bytes), '\0');
  lease.get()->copy_result(bytes.data(), bytes.size(), 0);
  return wire::unpack_header(bytes);
}

struct DicomImages::Impl {
  explicit Impl(const std::string& file) : path(file) {
    if (lease.get() == nullptr) {
      here.emplace(path);
      format = here->format();
      return;
    }
    lease.get()->ask(wire::What::open, path);
    lease.get()->copy_result(&format, sizeof format, 0);
  }

  std::string path;
  Lease lease;
  std::optional<DicomPixels> here;  // without a decoder
  DicomPixelFormat format;
};

DicomImages::DicomImages(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
DicomImages::~DicomImages() = default;
DicomImages::DicomImages(DicomImages&&) noexcept = default;
DicomImages& DicomImages::operator=(DicomImages&&) noexcept = default;

const DicomPixelFormat& DicomImages::format() const { return impl_->format; }

void DicomImages::read(int frame, std::span<std::int32_t> values) const {
  if (impl_->here) return impl_->here->read(frame, values);
  if (frame < 0 || frame >= impl_->format.frames || values.size() != impl_->format.frame_size())
    throw ShapeError("frame " + std::to_string(frame) + " or its buffer does not fit", impl_->path);
  if (impl_->format.frames > 1)  // else it came with the file
    impl_->lease.get()->ask(wire::What::frame, impl_->path, frame);
  impl_->lease.get()->copy_result(values.data(), values.size_bytes(), wire::values_at);
}

}  // namespace gantry
