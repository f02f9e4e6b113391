#include "core/io/files/containers/hdf5_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/containers/hdf5_reader.hpp"
#include "core/io/files/decoder/decoded_file.hpp"
#include "core/io/files/file_parts.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

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
  Impl(const std::string& path, const Interrupt* interrupt)
      : apart(path, wire::What::hdf5_open, interrupt) {
    if (DecoderProcess::is_unwanted()) {
      here.emplace(path);
      listing = here->listing();
      return;
    }
    listing = wire::unpack_listing(apart.open());
  }

  /// Returns a request about an object of the file; `name` is that of an attribute.
  DecoderRequest about(wire::What what, const std::string& object,
                       const std::string& name = {}) const {
    return apart.request(what, wire::pack({object, name}), ": " + object);
  }

  std::optional<std::string> text_of(const DecoderRequest& one) {
    const std::scoped_lock lock(mutex);
    const wire::Answer answer = apart.ask(one);
    if (answer.outcome == wire::Outcome::nothing) return std::nullopt;
    return apart.process().result_of(answer);
  }

  /// Takes the numbers of the last answer. They are converted here, which takes less time than
  /// libhdf5 needs.
  void take_numbers(NumberType type, std::span<float> values) const {
    std::size_t at = 0;
    const ByteSource source = [&](std::span<std::byte> bytes) {
      apart.process().copy_result(bytes.data(), bytes.size(), at);
      at += bytes.size();
      return bytes.size();
    };
    read_from(source, {type, host_is_big}, values);
  }

  Hdf5Listing listing;
  std::optional<Hdf5Reader> here;  // where no decoder is wanted
  std::mutex mutex;                // of what follows
  DecodedFile apart;
};

Hdf5File::Hdf5File(const std::string& path, const Interrupt* interrupt)
    : impl_(std::make_unique<Impl>(path, interrupt)) {}
Hdf5File::~Hdf5File() = default;

const std::string& Hdf5File::path() const { return impl_->apart.path(); }
const std::vector<Hdf5Dataset>& Hdf5File::datasets() const { return impl_->listing.datasets; }
const std::vector<Hdf5Alias>& Hdf5File::aliases() const { return impl_->listing.aliases; }
const std::vector<std::string>& Hdf5File::dangling() const { return impl_->listing.dangling; }
const Hdf5Dataset* Hdf5File::find(const std::string& path) const {
  return impl_->listing.find(path);
}

std::vector<double> Hdf5File::numbers(const Hdf5Dataset& dataset) const {
  if (impl_->here) return impl_->here->numbers(dataset);
  const std::scoped_lock lock(impl_->mutex);
  const wire::Answer answer =
      impl_->apart.ask(impl_->about(wire::What::hdf5_numbers, dataset.path));
  if (answer.bytes / sizeof(double) != dataset.elements()) wire::Unpacker::fail();
  std::vector<double> values(dataset.elements());
  impl_->apart.process().copy_result(values.data(), values.size() * sizeof(double), 0);
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
  impl_->apart.ask(request);
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
  return impl_->apart.ask(impl_->about(wire::What::hdf5_has_attribute, object, name)).outcome ==
         wire::Outcome::done;
}

}  // namespace gantry
