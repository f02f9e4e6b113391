#include "core/io/files/containers/hdf5_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/containers/hdf5_reader.hpp"
#include "core/io/files/decoder/decoder_process.hpp"
#include "core/io/files/decoder/limits.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/file_parts.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

/// Returns the processor time in seconds that an answer about a file may take. No answer takes as
/// long as reading all of a large file.
double seconds_for(const std::string& path) {
  constexpr std::size_t most_bytes = 50'000'000;
  return decoding_seconds(std::min(size_of_file(path), most_bytes));
}

std::unique_ptr<DecoderProcess> start_decoder(const std::string& path) {
  const std::string program = DecoderProcess::program();
  if (program.empty())
    throw InputError("cannot be read, since the program gantry-decoder is not found", path,
                     "install Gantry again, or name the program by GANTRY_DECODER");
  std::unique_ptr<DecoderProcess> process = DecoderProcess::start();
  if (!process)
    throw InputError("cannot be read, since " + program + " does not start", path,
                     "install Gantry again");
  return process;
}

constexpr bool host_is_big = std::endian::native == std::endian::big;

/// Reads numbers; those that are stored as this machine has them go straight to their place.
std::size_t read_from(const ByteSource& source, NumberFormat format, std::span<float> values) {
  if (format.type == NumberType::float32 && format.big_endian == host_is_big)
    return source(std::as_writable_bytes(values)) / sizeof(float);
  return read_numbers(source, format, values);
}

/// Reads a frame as from a raw file, which needs neither libhdf5 nor its process.
void read_piece(const Hdf5Dataset& dataset, std::uint64_t index, std::span<float> values,
                const std::string& path) {
  const std::uint64_t bytes = values.size() * bytes_of(dataset.type);
  const ByteSource source =
      bytes_in({{dataset.piece->file, dataset.piece->start + index * bytes, bytes}});
  if (read_from(source, {dataset.type, dataset.piece->big_endian}, values) < values.size())
    throw InputError(dataset.path + " cannot be read at frame " + std::to_string(index), path,
                     "the file is damaged or cut short");
}

}  // namespace

struct Hdf5File::Impl {
  Impl(const std::string& file, const Interrupt* by)
      : path(file), interrupt(by), seconds(seconds_for(file)) {
    if (DecoderProcess::is_unwanted()) {
      here.emplace(path);
      listing = here->listing();
      return;
    }
    listing = open();
  }

  DecoderRequest request(wire::What what, const std::string& text, const std::string& part) const {
    DecoderRequest one;
    one.what = what;
    one.text = text;
    one.where = path + part;
    one.seconds = seconds;
    one.interrupt = interrupt;
    return one;
  }
  /// Returns a request about an object of the file; `name` is that of an attribute.
  DecoderRequest about(wire::What what, const std::string& object,
                       const std::string& name = {}) const {
    return request(what, wire::pack({object, name}), ": " + object);
  }

  /// Starts a decoder that has the file open.
  Hdf5Listing open() {
    std::unique_ptr<DecoderProcess> started = start_decoder(path);
    const wire::Answer answer = started->ask(request(wire::What::hdf5_open, path, {}));
    Hdf5Listing found = wire::unpack_listing(started->result_of(answer));
    process = std::move(started);
    return found;
  }

  /// Asks the decoder, which is started again after an interruption. When it has crashed, that is
  /// said again at every further question, and the file is not read again.
  wire::Answer ask(const DecoderRequest& one) {
    if (!failure.empty()) throw InputError(failure);
    if (interrupt != nullptr && interrupt->raised()) throw Interrupted{};
    try {
      if (!process) open();
      return process->ask(one);
    } catch (const Interrupted&) {
      process.reset();
      throw;
    } catch (const InputError& error) {
      if (!process || !process->alive()) failure = error.what();
      throw;
    }
  }

  std::optional<std::string> text_of(const DecoderRequest& one) {
    const std::scoped_lock lock(mutex);
    const wire::Answer answer = ask(one);
    if (answer.outcome == wire::Outcome::nothing) return std::nullopt;
    return process->result_of(answer);
  }

  /// Takes the numbers of the last answer. They are converted here, which takes less time than
  /// libhdf5 needs.
  void take_numbers(NumberType type, std::span<float> values) const {
    std::size_t at = 0;
    const ByteSource source = [&](std::span<std::byte> bytes) {
      process->copy_result(bytes.data(), bytes.size(), at);
      at += bytes.size();
      return bytes.size();
    };
    read_from(source, {type, host_is_big}, values);
  }

  std::string path;
  const Interrupt* interrupt;
  double seconds;
  Hdf5Listing listing;
  std::optional<Hdf5Reader> here;  // where no decoder is wanted
  std::mutex mutex;                // of all that follows
  std::unique_ptr<DecoderProcess> process;
  std::string failure;
};

Hdf5File::Hdf5File(const std::string& path, const Interrupt* interrupt)
    : impl_(std::make_unique<Impl>(path, interrupt)) {}
Hdf5File::~Hdf5File() = default;

const std::string& Hdf5File::path() const { return impl_->path; }
const std::vector<Hdf5Dataset>& Hdf5File::datasets() const { return impl_->listing.datasets; }
const std::vector<Hdf5Alias>& Hdf5File::aliases() const { return impl_->listing.aliases; }
const std::vector<std::string>& Hdf5File::dangling() const { return impl_->listing.dangling; }
const Hdf5Dataset* Hdf5File::find(const std::string& path) const {
  return impl_->listing.find(path);
}

std::vector<double> Hdf5File::numbers(const Hdf5Dataset& dataset) const {
  if (impl_->here) return impl_->here->numbers(dataset);
  const std::scoped_lock lock(impl_->mutex);
  const wire::Answer answer = impl_->ask(impl_->about(wire::What::hdf5_numbers, dataset.path));
  if (answer.bytes / sizeof(double) != dataset.elements()) wire::Unpacker::fail();
  std::vector<double> values(dataset.elements());
  impl_->process->copy_result(values.data(), values.size() * sizeof(double), 0);
  return values;
}

void Hdf5File::read_frame(const Hdf5Dataset& dataset, std::uint64_t index,
                          std::span<float> values) const {
  if (impl_->here) return impl_->here->read_frame(dataset, index, values);
  if (dataset.piece) return read_piece(dataset, index, values, path());
  DecoderRequest request = impl_->about(wire::What::hdf5_frame, dataset.path);
  request.where += ", frame " + std::to_string(index);
  request.index = index;
  request.count = values.size();
  const std::scoped_lock lock(impl_->mutex);
  impl_->ask(request);
  impl_->take_numbers(dataset.type, values);
}

std::optional<std::string> Hdf5File::text_attribute(const std::string& object,
                                                    const std::string& name) const {
  if (impl_->here) return impl_->here->text_attribute(object, name);
  return impl_->text_of(impl_->about(wire::What::hdf5_text_attribute, object, name));
}

std::optional<std::string> Hdf5File::text(const Hdf5Dataset& dataset) const {
  if (impl_->here) return impl_->here->text(dataset);
  return impl_->text_of(impl_->about(wire::What::hdf5_text, dataset.path));
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  if (impl_->here) return impl_->here->has_attribute(object, name);
  const std::scoped_lock lock(impl_->mutex);
  return impl_->ask(impl_->about(wire::What::hdf5_has_attribute, object, name)).outcome ==
         wire::Outcome::done;
}

}  // namespace gantry
