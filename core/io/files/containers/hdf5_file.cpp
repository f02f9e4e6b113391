#include "core/io/files/containers/hdf5_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/containers/hdf5_reader.hpp"
#include "core/io/files/decoder/decoded_file.hpp"
#include "core/io/files/file_parts.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <type_traits>
#include <utility>

namespace gantry {

namespace {

constexpr bool host_is_big = std::endian::native == std::endian::big;

/// Reads numbers; those that are stored as this machine has them go straight to their place.
template <class Number>
std::size_t read_from(const ByteSource& source, NumberFormat format, std::span<Number> values) {
  constexpr NumberType same =
      sizeof(Number) == sizeof(float) ? NumberType::float32 : NumberType::float64;
  if (format.type == same && format.big_endian == host_is_big)
    return source(std::as_writable_bytes(values)) / sizeof(Number);
  return read_numbers(source, format, values);
}

/// Reads a frame as from a raw file, which needs neither libhdf5 nor its process.
template <class Number>
void read_piece(const Hdf5Dataset& dataset, std::uint64_t index, std::span<Number> values,
                const std::string& path) {
  const std::uint64_t bytes = values.size() * bytes_of(dataset.type);
  const ByteSource source =
      bytes_in({{dataset.piece->file, dataset.piece->start + index * bytes, bytes}});
  if (read_from(source, {dataset.type, dataset.piece->big_endian}, values) < values.size())
    throw InputError(dataset.path + " cannot be read at frame " + std::to_string(index), path,
                     "the file is damaged or cut short");
}

void require_scaling(const Hdf5Dataset& dataset, const std::string& path) {
  if (dataset.scaling && !dataset.scaling->fault.empty())
    throw InputError(dataset.path + " cannot be scaled: " + dataset.scaling->fault, path,
                     "correct the attribute, or remove it if the numbers are the values");
}

/// Scales numbers in double precision: an addend may be large beside what is left.
template <class Value>
void scale(const std::optional<Hdf5Scaling>& scaling, std::span<const double> numbers,
           std::span<Value> values) {
  std::ranges::transform(numbers, values.begin(), [&](double number) {
    return static_cast<Value>(scaling->factor * number + scaling->addend);
  });
}

/// Has the numbers of values read, in double precision where they are to be scaled.
template <class Read>
void read_scaled(const Hdf5Dataset& dataset, const std::string& path, std::span<float> values,
                 const Read& read) {
  if (!dataset.scaling) return read(values);
  require_scaling(dataset, path);
  std::vector<double> numbers(values.size());
  read(std::span(numbers));
  scale(dataset.scaling, numbers, values);
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
  template <class Number>
  void take_numbers(NumberType type, std::span<Number> values) const {
    std::size_t at = 0;
    const ByteSource source = [&](std::span<std::byte> bytes) {
      apart.process().copy_result(bytes.data(), bytes.size(), at);
      at += bytes.size();
      return bytes.size();
    };
    read_from(source, {type, host_is_big}, values);
  }

  std::vector<double> stored_numbers(const Hdf5Dataset& dataset) {
    if (here) return here->numbers(dataset);
    const std::scoped_lock lock(mutex);
    const wire::Answer answer = apart.ask(about(wire::What::hdf5_numbers, dataset.path));
    if (answer.bytes / sizeof(double) != dataset.elements()) wire::Unpacker::fail();
    std::vector<double> values(dataset.elements());
    apart.process().copy_result(values.data(), values.size() * sizeof(double), 0);
    return values;
  }

  /// Has the reader of this process read numbers, where no decoder is wanted.
  template <class Number, class Read>
  void read_here(NumberType type, std::span<Number> values, const Read& read) const {
    std::vector<std::byte> bytes(values.size() * bytes_of(type));
    read(std::span(bytes));
    const ByteSource source =
        [rest = std::span<const std::byte>(bytes)](std::span<std::byte> into) mutable {
          const std::size_t count = std::min(into.size(), rest.size());
          std::copy_n(rest.begin(), count, into.begin());
          rest = rest.subspan(count);
          return count;
        };
    read_from(source, {type, host_is_big}, values);
  }

  template <class Number>
  void read_stored(const Hdf5Dataset& dataset, std::uint64_t index, std::span<Number> values) {
    if (here) {
      if constexpr (std::is_same_v<Number, float>)
        return here->read_frame(dataset, index, values);
      else
        return read_here(dataset.type, values, [&](std::span<std::byte> numbers) {
          here->read_frame(dataset, index, numbers);
        });
    }
    if (dataset.piece) return read_piece(dataset, index, values, apart.path());
    DecoderRequest request = about(wire::What::hdf5_frame, dataset.path);
    request.where += ", frame " + std::to_string(index);
    request.index = index;
    request.count = values.size();
    const std::scoped_lock lock(mutex);
    apart.ask(request);
    take_numbers(dataset.type, values);
  }

  template <class Number>
  void read_box(const Hdf5Dataset& dataset, const ArrayBox& box, std::span<Number> values) {
    if (here)
      return read_here(dataset.type, values, [&](std::span<std::byte> numbers) {
        here->read_box(dataset, box, numbers);
      });
    DecoderRequest request =
        apart.request(wire::What::hdf5_box, wire::pack(wire::Hdf5Elements{dataset.path, box}),
                      ": " + dataset.path);
    request.count = values.size();
    const std::scoped_lock lock(mutex);
    apart.ask(request);
    take_numbers(dataset.type, values);
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
  require_scaling(dataset, path());
  std::vector<double> values = impl_->stored_numbers(dataset);
  if (dataset.scaling) scale(dataset.scaling, values, std::span(values));
  return values;
}

void Hdf5File::read_frame(const Hdf5Dataset& dataset, std::uint64_t index,
                          std::span<float> values) const {
  read_scaled(dataset, path(), values,
              [&](auto numbers) { impl_->read_stored(dataset, index, numbers); });
}

void Hdf5File::read_box(const Hdf5Dataset& dataset, const ArrayBox& box,
                        std::span<float> values) const {
  read_scaled(dataset, path(), values,
              [&](auto numbers) { impl_->read_box(dataset, box, numbers); });
}

std::optional<std::string> Hdf5File::text_attribute(const std::string& object,
                                                    const std::string& name) const {
  if (impl_->here) return impl_->here->text_attribute(object, name);
  return impl_->text_of(impl_->about(wire::What::hdf5_text_attribute, object, name));
}

std::optional<double> Hdf5File::number_attribute(const std::string& object,
                                                 const std::string& name) const {
  if (impl_->here) return impl_->here->number_attribute(object, name);
  const std::scoped_lock lock(impl_->mutex);
  const wire::Answer answer =
      impl_->apart.ask(impl_->about(wire::What::hdf5_number_attribute, object, name));
  if (answer.outcome == wire::Outcome::nothing) return std::nullopt;
  double number = 0;
  impl_->apart.process().copy_result(&number, sizeof number, 0);
  return number;
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
