// The loop behind SfKernels::forward_pair, included once per instruction set after dd_kernels.inl
// (for minf, maxf and mini). As in dd_kernels.inl, no inline function of a header may be called.
//
// With g_i the chord times pixel i, and R_i(x) the integral up to x of a ramp from 0 to 1 over the
// projection of side i, the footprints of a layer add up to
//   sum_i g_i (R_i - R_i+1) = sum_i (g_i - g_i-1) R_i,
// one ramp per pixel instead of two. The upper end of side i of a layer is the lower end of side i
// of the next layer, so that the ramps of two layers follow each other: if none is longer than a
// cell, the two together change within three cells and are constant at 1 ("whole") beyond. There,
// the contributions of neighbouring pixels cancel exactly, since they are counted in whole units.

namespace gantry::GANTRY_ISA {

namespace {

constexpr int sf_pair_chunk = 256;  // sides whose ramps are computed before they are spread

/// Returns sqrt(1 + x) to 1e-7 for 0 <= x <= 1, by a polynomial fitted to this range. A square root
/// takes longer.
inline float root_of_one_plus(float x) {
  const float high =
      -0.0361256227F + x * (0.0195673387F + x * (-0.00759692909F + x * 0.00144048838F));
  return 1.0F + x * (0.49999705F + x * (-0.124929875F + x * (0.0618611276F + x * high)));
}

/// Returns x rounded to a whole number modulo 2^32, so that sums may exceed 2^31.
inline std::uint32_t to_nearest(float x) {
#ifdef __clang__
  return static_cast<std::uint32_t>(__builtin_lrintf(x));
#else
  return static_cast<std::uint32_t>(__builtin_irintf(x));  // GCC does not vectorise lrintf
#endif
}

/// Returns the chord times pixel i of a layer, in units (see SfPair).
struct ScaledPixels {
  const float* pixels;
  float start, step, scale;

  ScaledPixels(const SfChords& chords, const float* pixels_of, float per_unit)
      : pixels(pixels_of),
        start(chords.u / chords.w),
        step(chords.u_step / chords.w),
        scale(per_unit / chords.inverse_dw) {}
  float operator()(int i) const {
    const float slope = start + static_cast<float>(i) * step;
    return pixels[i] * (scale * root_of_one_plus(slope * slope));
  }
};

/// Values of a chunk of pixels, from offset `own` on; the value before them is that of the last
/// pixel of the previous chunk. With own = 16, stores of vectors do not cross cache lines.
template <class Value>
struct alignas(64) Chunk {
  static constexpr int own = 16;
  Value at[own + sf_pair_chunk];

  Value* pixels() { return at + own; }
  void carry(int size) { at[own - 1] = at[own - 1 + size]; }
};

/// The scaled pixels of both layers, and their sum in whole units.
struct PairChunk {
  Chunk<float> near, far;
  Chunk<std::uint32_t> whole;

  void clear(int j) {
    near.pixels()[j] = far.pixels()[j] = 0;
    whole.pixels()[j] = 0;
  }
  void carry(int size) {
    near.carry(size);
    far.carry(size);
    whole.carry(size);
  }
  void load(const ScaledPixels near_pixels, const ScaledPixels far_pixels, int first, int size) {
    float *near_at = near.pixels(), *far_at = far.pixels();
    std::uint32_t* whole_at = whole.pixels();
#pragma GCC ivdep
    for (int j = 0; j < size; ++j) {
      const float one = near_pixels(first + j), other = far_pixels(first + j);
      near_at[j] = one;
      far_at[j] = other;
      whole_at[j] = to_nearest(one) + to_nearest(other);
    }
  }
};

/// Returns the integral of a ramp up to t from its start, minus (t - rise / 2): exactly 0 from the
/// end of the ramp on.
inline float before_whole(float t, float rise, float half_inverse_rise) {
  const float rest = maxf(rise - t, 0.0F);
  return rest * rest * half_inverse_rise;
}

/// counts[half_places[j] / 2] += ramps[j], four values as one vector. Offsets are given in halves
/// of a CellCounts (8 bytes), since an address can scale an index by 8 but not by 16.
void add_ramps(const int* half_places, const CellCounts* ramps, int size, CellCounts* counts) {
  using Counts = std::uint32_t __attribute__((vector_size(16), may_alias));
  auto* halves = reinterpret_cast<std::uint64_t*>(counts);
#pragma GCC unroll 4
  for (int j = 0; j < size; ++j)
    *reinterpret_cast<Counts*>(halves + half_places[j]) +=
        *reinterpret_cast<const Counts*>(ramps + j);
}

void sf_forward_pair(const SfPair& given, int begin, int end, int cells, CellCounts* counts) {
  const float margin = static_cast<float>(sf_padding), top = static_cast<float>(cells) + margin;
  PairChunk values;
  values.clear(-1);  // there is no pixel before the first
  // If coordinates descend along the layer, a footprint rises over side i + 1, not over side i.
  const bool falls = given.plane[0][end] < given.plane[0][begin];
  const float per_unit = falls ? -given.per_unit : given.per_unit;
  const ScaledPixels near_pixels(given.chords[0], given.pixels[0], per_unit),
      far_pixels(given.chords[1], given.pixels[1], per_unit);
  alignas(64) int half_places[sf_pair_chunk];
  alignas(64) CellCounts ramps[sf_pair_chunk];
  for (int at = begin; at <= end; at += sf_pair_chunk) {
    const int size = mini(sf_pair_chunk, end + 1 - at);
    const int filled = (size + sf_pair_padding - 1) / sf_pair_padding * sf_pair_padding;
    values.load(near_pixels, far_pixels, at, filled);
    if (at + size > end) values.clear(size - 1);  // there is no pixel after the last
    const float *low = given.plane[0] + at, *middle = given.plane[1] + at,
                *high = given.plane[2] + at;
    const float *near = values.near.pixels(), *far = values.far.pixels();
    const std::uint32_t* whole = values.whole.pixels();
#pragma GCC ivdep
    for (int j = 0; j < filled; ++j) {
      const float a = low[j], b = middle[j], c = high[j];
      const float step_a = near[j] - near[j - 1], step_b = far[j] - far[j - 1];
      // A side seen end-on is a ramp of length zero. The quotient is then multiplied by zero and
      // need only be finite.
      const float rise_a = b - a, rise_b = c - b;
      const float half_inverse = 0.5F / (rise_a * rise_b + 1e-30F);
      const int place = static_cast<int>(minf(maxf(a + margin, 0.0F), top));
      half_places[j] = 2 * place;
      const float edge = static_cast<float>(place) - margin + 1.0F;  // upper edge of the first cell
      const float at_a = edge - a, at_b = edge - b;
      const float half_inverse_a = half_inverse * rise_b, half_inverse_b = half_inverse * rise_a;
      // The upper edge of the first cell may lie on either ramp, the upper edge of the second cell
      // only on ramp b, which starts below that edge; `late` is the distance from the upper edge of
      // the first cell to a start of b above that edge, else 0.
      const float started = maxf(at_b, 0.0F), late = started - at_b;
      const float a_one = before_whole(at_a, rise_a, half_inverse_a),
                  b_one = before_whole(started, rise_b, half_inverse_b),
                  b_two = before_whole(at_b + 1.0F, rise_b, half_inverse_b);
      const std::uint32_t beyond = whole[j] - whole[j - 1];
      ramps[j].cell[0] = to_nearest(step_a * (at_a - 0.5F * rise_a + a_one) +
                                    step_b * (started - 0.5F * rise_b + b_one));
      ramps[j].cell[1] = beyond - to_nearest(step_a * a_one + step_b * (late + (b_one - b_two)));
      ramps[j].cell[2] = beyond - to_nearest(step_b * b_two);
      ramps[j].beyond = beyond;
    }
    add_ramps(half_places, ramps, size, counts);
    values.carry(size);
  }
}

}  // namespace

}  // namespace gantry::GANTRY_ISA
