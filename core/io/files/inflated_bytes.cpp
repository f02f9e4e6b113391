#include "core/io/files/inflated_bytes.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <exception>
#include <list>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

namespace gantry {

namespace {

/// Unpacked bytes, which are fewer than those of a piece only where the data end.
struct InflatedPiece {
  std::uint64_t index = 0;
  std::once_flag is_unpacked;
  std::vector<std::byte> bytes;
  std::exception_ptr fault;  ///< of what follows the bytes; null: there is none
};

/// Reads the next bytes into a piece, up to a fault: what precedes damaged data can be read.
void unpack_next(Inflater& inflater, std::size_t most, InflatedPiece& piece) {
  constexpr std::size_t first_step = std::size_t{1} << 14;
  std::vector<std::byte>& bytes = piece.bytes;
  while (bytes.size() < most) {
    const std::size_t done = bytes.size(), step = std::min(std::max(first_step, done), most - done);
    bytes.resize(done + step);
    std::size_t got = 0;
    try {
      got = inflater.read(std::span(bytes).subspan(done));
    } catch (const InputError&) {
      piece.fault = std::current_exception();
    }
    bytes.resize(done + got);
    if (got < step) return;
  }
}

/// Returns how many pieces are kept, for as many threads that read at once.
std::size_t kept_pieces() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 3, 16);
}

/// Returns the length of the pieces of so many packed bytes. The states before them take a
/// hundredth of the unpacked bytes or less.
std::size_t piece_bytes_for(const std::vector<FilePart>& packed) {
  constexpr std::uintmax_t least = std::uintmax_t{1} << 21, most = std::uintmax_t{1} << 24,
                           parts = 128;
  std::uintmax_t bytes = 0;
  for (const FilePart& part : packed) bytes += part.bytes;
  return static_cast<std::size_t>(std::clamp(bytes / parts, least, most));
}

}  // namespace

class InflatedBytes::Pieces {
 public:
  Pieces(OpenBytes packed, std::string where, Wrapper wrapper, std::size_t piece_bytes)
      : packed_(std::move(packed)), piece_bytes_(piece_bytes) {
    states_.push_back(std::make_shared<Inflater>(ByteSource(), std::move(where), wrapper));
  }

  /// Fills the span with bytes from a place on; returns how many there are.
  std::size_t read(std::uint64_t at, std::span<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size()) {
      const Piece piece = piece_of((at + done) / piece_bytes_);
      const auto from = static_cast<std::size_t>((at + done) % piece_bytes_);
      if (from >= piece->bytes.size()) {
        if (piece->fault) std::rethrow_exception(piece->fault);
        break;
      }
      const std::size_t count = std::min(piece->bytes.size() - from, out.size() - done);
      std::copy_n(piece->bytes.begin() + static_cast<std::ptrdiff_t>(from), count,
                  out.begin() + static_cast<std::ptrdiff_t>(done));
      done += count;
    }
    return done;
  }

  void release() {
    const std::scoped_lock lock(mutex_);
    kept_.clear();
  }

 private:
  using Piece = std::shared_ptr<InflatedPiece>;
  using State = std::shared_ptr<const Inflater>;

  Piece piece_of(std::uint64_t index) {
    const Piece piece = kept_piece(index);
    std::call_once(piece->is_unpacked, [&] { unpack(*piece); });
    return piece;
  }

  /// Returns the piece of an index, which may have to be unpacked yet. The latest one comes first.
  Piece kept_piece(std::uint64_t index) {
    const std::scoped_lock lock(mutex_);
    const auto found =
        std::ranges::find_if(kept_, [&](const Piece& one) { return one->index == index; });
    if (found != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, found);
      return kept_.front();
    }
    kept_.push_front(std::make_shared<InflatedPiece>());
    kept_.front()->index = index;
    if (kept_.size() > most_kept_) kept_.pop_back();
    return kept_.front();
  }

  void unpack(InflatedPiece& piece) {
    const State state = state_before(piece.index);
    if (state == nullptr) {
      const std::scoped_lock lock(mutex_);
      piece.fault = fault_at_end_;
      return;
    }
    const std::unique_ptr<Inflater> inflater = state->continued(packed_(state->used()));
    unpack_next(*inflater, piece_bytes_, piece);
    State behind;
    if (piece.bytes.size() == piece_bytes_) behind = inflater->continued({});
    const std::scoped_lock lock(mutex_);
    if (states_.size() != piece.index + 1) return;
    states_.push_back(std::move(behind));
    if (states_.back() == nullptr) fault_at_end_ = piece.fault;
  }

  /// Returns the state before a piece, once all pieces before it were unpacked; null behind the
  /// end.
  State state_before(std::uint64_t index) {
    for (;;) {
      std::uint64_t last = 0;
      {
        const std::scoped_lock lock(mutex_);
        if (index < states_.size()) return states_[static_cast<std::size_t>(index)];
        if (states_.back() == nullptr) return nullptr;
        last = states_.size() - 1;
      }
      piece_of(last);
    }
  }

  OpenBytes packed_;
  std::size_t piece_bytes_, most_kept_ = kept_pieces();
  std::mutex mutex_;           // of what follows
  std::vector<State> states_;  // before the pieces from the first on; null: the data ended before
  std::exception_ptr fault_at_end_;
  std::list<Piece> kept_;
};

InflatedBytes::InflatedBytes(OpenBytes packed, std::string where, Wrapper wrapper,
                             std::size_t piece_bytes)
    : pieces_(std::make_shared<Pieces>(std::move(packed), std::move(where), wrapper, piece_bytes)) {
}

InflatedBytes::InflatedBytes(const std::vector<FilePart>& packed, std::string where,
                             Wrapper wrapper)
    : InflatedBytes([packed](std::uint64_t first) { return bytes_in(packed, first); },
                    std::move(where), wrapper, piece_bytes_for(packed)) {}

ByteSource InflatedBytes::from(std::uint64_t first) const {
  return [pieces = pieces_, at = first](std::span<std::byte> out) mutable {
    const std::size_t got = pieces->read(at, out);
    at += got;
    return got;
  };
}

void InflatedBytes::release_pieces() const { pieces_->release(); }

}  // namespace gantry
