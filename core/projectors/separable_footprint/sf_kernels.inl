// The loops behind sf_kernels.hpp, included once per instruction set after dd_kernels.inl (for
// minf, maxf, mini and fast_atan) and sf_pairs.inl (for sf_forward_pair). As in dd_kernels.inl, no
// inline function of a header may be called.

namespace gantry::GANTRY_ISA {

namespace {

/// Returns 1 / x to 2e-7 for normal x > 0: an estimate to 5 % by the bits of the exponent, improved
/// by an iteration of third order and one of second order. A division takes longer.
inline float reciprocal(float x) {
  const float guess = __builtin_bit_cast(float, 0x7ef311c7 - __builtin_bit_cast(int, x));
  const float error = 1.0F - x * guess;
  const float y = guess + guess * (error + error * error);
  return y + y * (1.0F - x * y);
}

void sf_project(const SfLine& given, int count, float* __restrict__ coordinate) {
  SfLine line = given;
  if (line.arc) {
#pragma GCC ivdep
    for (int i = 0; i < count; ++i) {
      const float at = static_cast<float>(i);
      coordinate[i] = line.gain * fast_atan((line.across + at * line.across_step) *
                                            reciprocal(line.depth + at * line.depth_step)) +
                      line.bias;
    }
  } else {
    line.across *= line.gain;
    line.across_step *= line.gain;
#pragma GCC ivdep
    for (int i = 0; i < count; ++i) {
      const float at = static_cast<float>(i);
      coordinate[i] =
          (line.across + at * line.across_step) * reciprocal(line.depth + at * line.depth_step) +
          line.bias;
    }
  }
}

/// Returns the integral up to x of a ramp that rises from 0 to 1 between 0 and `rise`.
inline float ramp_integral(float x, float rise, float half_inverse_rise) {
  const float on_ramp = minf(maxf(x, 0.0F), rise);
  return on_ramp * on_ramp * half_inverse_rise + maxf(x - rise, 0.0F);
}

/// A footprint: the first cell that it may touch, as offset in a padded detector row, and the
/// chord times the integrals of the footprint over this cell and the next three.
struct SfWeights {
  int first;
  float cell[sf_taps];
};

inline float chord_of(const SfChords& chords, int i) {
  const float u = chords.u + static_cast<float>(i) * chords.u_step;
  const float length = __builtin_sqrtf(u * u + chords.w * chords.w);
  return length / maxf(__builtin_fabsf(u) * chords.inverse_du,
                       __builtin_fabsf(chords.w) * chords.inverse_dw);
}

/// Returns the trapezoid over the sorted projections of the four corners (Long, Fessler and Balter
/// 2010), which touches at most `taps` cells.
template <int taps>
inline SfWeights weights_of(float a, float b, float c, float d, float chord, float cells) {
  const float ab_low = minf(a, b), ab_high = maxf(a, b), cd_low = minf(c, d), cd_high = maxf(c, d);
  const float start = minf(ab_low, cd_low), end = maxf(ab_high, cd_high);
  const float inner_a = maxf(ab_low, cd_low), inner_b = minf(ab_high, cd_high);
  const float top_start = minf(inner_a, inner_b), top_end = maxf(inner_a, inner_b);
  // A vertical side is a ramp of length zero; the lower bound avoids a division by zero.
  const float rise = maxf(top_start - start, 1e-9F), fall = maxf(end - top_end, 1e-9F);
  const float half_inverse = 0.5F / (rise * fall);
  const float half_inverse_rise = half_inverse * fall, half_inverse_fall = half_inverse * rise;
  const float margin = static_cast<float>(sf_padding);
  const float shifted = minf(maxf(start + margin, 0.0F), cells + margin);
  SfWeights weights = {static_cast<int>(shifted), {0, 0, 0, 0}};
  const float edge = static_cast<float>(weights.first) - margin + 1.0F;  // upper edge, first cell
  float before = 0;
#pragma GCC unroll 4
  for (int t = 0; t < taps - 1; ++t) {
    const float at = edge + static_cast<float>(t);
    const float integral = ramp_integral(at - start, rise, half_inverse_rise) -
                           ramp_integral(at - top_end, fall, half_inverse_fall);
    weights.cell[t] = chord * (integral - before);
    before = integral;
  }
  const float whole = 0.5F * (end + top_end - top_start - start);
  weights.cell[taps - 1] = chord * maxf(whole - before, 0.0F);
  return weights;
}

constexpr int sf_chunk = 256;  // footprints computed as vectors before they are spread

using Four = float __attribute__((vector_size(16), may_alias));

/// Weights of a chunk, [tap][pixel], so that vectors over pixels are stored contiguously.
struct alignas(64) ChunkWeights {
  float tap[sf_taps][sf_chunk];
};

/// quads[first[j]] += the weights of pixel j, for pixels j .. j + 3. The 4 x 4 weights are
/// transposed in registers: stored one by one, they could not be loaded as one vector without a
/// stall.
inline void spread_four(const ChunkWeights& weights, const int* first, int j, CellQuad* quads) {
  const auto load = [&](int t) { return *reinterpret_cast<const Four*>(&weights.tap[t][j]); };
  const Four a = load(0), b = load(1), c = load(2), d = load(3);
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
             ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
             cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
             cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const auto add = [&](int i, Four quad) {
    *reinterpret_cast<Four*>(quads + first[j + i]) += quad;
  };
  add(0, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
  add(1, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
  add(2, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  add(3, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

template <int taps>
void sf_forward(const float* low, const float* high, const SfChords& given, const float* pixels,
                int count, int cells, CellQuad* quads) {
  const SfChords chords = given;
  const float top = static_cast<float>(cells);
  alignas(64) int first[sf_chunk];
  ChunkWeights weights;
  for (int begin = 0; begin < count; begin += sf_chunk) {
    const int size = mini(sf_chunk, count - begin);
#pragma GCC ivdep
    for (int j = 0; j < size; ++j) {
      const int i = begin + j;
      const SfWeights at = weights_of<taps>(low[i], low[i + 1], high[i], high[i + 1],
                                            chord_of(chords, i) * pixels[i], top);
      first[j] = at.first;
      weights.tap[0][j] = at.cell[0];
      weights.tap[1][j] = at.cell[1];
      weights.tap[2][j] = at.cell[2];
      weights.tap[3][j] = at.cell[3];
    }
    for (int j = size; j % 4 != 0; ++j) {  // completes the last four with zero weights
      first[j] = 0;
      for (int t = 0; t < sf_taps; ++t) weights.tap[t][j] = 0;
    }
    for (int j = 0; j < size; j += 4) spread_four(weights, first, j, quads);
  }
}

template <int taps>
void sf_adjoint(const float* low, const float* high, const SfChords& given, const float* row,
                int count, int cells, float* __restrict__ pixels) {
  const SfChords chords = given;
  const float top = static_cast<float>(cells);
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    const SfWeights at =
        weights_of<taps>(low[i], low[i + 1], high[i], high[i + 1], chord_of(chords, i), top);
    float sum = at.cell[0] * row[at.first];
#pragma GCC unroll 4
    for (int t = 1; t < taps; ++t) sum += at.cell[t] * row[at.first + t];
    pixels[i] += sum;
  }
}

}  // namespace

extern const SfKernels sf_table = {sf_project,
                                   sf_forward_pair,
                                   {sf_forward<2>, sf_forward<3>, sf_forward<4>},
                                   {sf_adjoint<2>, sf_adjoint<3>, sf_adjoint<4>}};

}  // namespace gantry::GANTRY_ISA
