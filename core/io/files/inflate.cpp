#include "core/io/files/inflate.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>
#include <zlib.h>

namespace gantry {

struct Inflater::State {
  ByteSource packed;
  std::string where;
  std::vector<std::byte> input;  // none before the first bytes are read
  z_stream stream{};
  std::uintmax_t used_before = 0;  // by the members before the present one
  bool is_begun = false, may_be_gzip = false, ended = false;

  /// Reads on until this many packed bytes are there, or the source ends. Returns how many are.
  std::size_t fill(std::size_t count) {
    if (stream.avail_in >= count) return stream.avail_in;
    if (input.empty()) input.resize(std::size_t{1} << 16);
    auto* const first = reinterpret_cast<Bytef*>(input.data());
    if (stream.avail_in > 0) std::memmove(first, stream.next_in, stream.avail_in);
    stream.next_in = first;
    stream.avail_in += static_cast<uInt>(packed(std::span(input).subspan(stream.avail_in)));
    return stream.avail_in;
  }

  bool at_gzip() {
    return may_be_gzip && fill(2) >= 2 && stream.next_in[0] == 0x1F && stream.next_in[1] == 0x8B;
  }

  /// Returns whether another member follows the one that ended.
  bool begin_next_member() {
    if (!at_gzip()) return false;
    used_before += stream.total_in;
    return inflateReset(&stream) == Z_OK;
  }
};

Inflater::Inflater(ByteSource packed, std::string where, Wrapper wrapper)
    : state_(std::make_unique<State>()) {
  state_->packed = std::move(packed);
  state_->where = std::move(where);
  state_->may_be_gzip = wrapper == Wrapper::zlib_or_gzip;
  constexpr int largest_window = 15, by_the_first_bytes = 32;
  const int bits = wrapper == Wrapper::none ? -largest_window : largest_window + by_the_first_bytes;
  if (inflateInit2(&state_->stream, bits) != Z_OK) throw std::bad_alloc();
}

Inflater::Inflater(std::unique_ptr<State> state) : state_(std::move(state)) {}

Inflater::~Inflater() { inflateEnd(&state_->stream); }

std::size_t Inflater::read(std::span<std::byte> out) {
  State& s = *state_;
  std::size_t done = 0;
  while (done < out.size() && !s.ended) {
    // zlib's own format has no members, so that gzip's mark behind such data means nothing.
    if (!std::exchange(s.is_begun, true)) s.may_be_gzip = s.at_gzip();
    const bool has_input = s.fill(1) > 0;
    const std::size_t room = std::min(out.size() - done, std::size_t{1} << 30);
    s.stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    s.stream.avail_out = static_cast<uInt>(room);
    const int result = inflate(&s.stream, Z_NO_FLUSH);
    done += room - s.stream.avail_out;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();  // it allocates its window when it needs it
    if (result == Z_STREAM_END) s.ended = !s.begin_next_member();
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      throw InputError("the compressed data are damaged", s.where, "fetch the file again");
    // The last packed byte may stand for many bytes, which did not fit into earlier spans.
    if (!has_input && room == s.stream.avail_out) break;  // the data are cut short
  }
  return done;
}

std::unique_ptr<Inflater> Inflater::continued(ByteSource packed) const {
  auto copy = std::make_unique<State>();
  copy->packed = std::move(packed);
  copy->where = state_->where;
  copy->used_before = state_->used_before;
  copy->is_begun = state_->is_begun;
  copy->may_be_gzip = state_->may_be_gzip;
  copy->ended = state_->ended;
  // zlib states a pointer, but only reads what it copies.
  if (inflateCopy(&copy->stream, &state_->stream) != Z_OK) throw std::bad_alloc();
  copy->stream.next_in = nullptr;
  copy->stream.avail_in = 0;
  return std::unique_ptr<Inflater>(new Inflater(std::move(copy)));
}

bool Inflater::ended() const { return state_->ended; }

std::uintmax_t Inflater::used() const { return state_->used_before + state_->stream.total_in; }

ByteSource unpacking(ByteSource packed, std::string where, Wrapper wrapper,
                     std::uintmax_t skipped) {
  const auto inflater = std::make_shared<Inflater>(std::move(packed), std::move(where), wrapper);
  ByteSource source = [inflater](std::span<std::byte> out) { return inflater->read(out); };
  skip_bytes(source, skipped);
  return source;
}

}  // namespace gantry
