// The loops behind siddon_joseph_kernels.hpp, included once per instruction set after
// dd_kernels.inl (for minf, maxf, mini and maxi) and prefix_kernels.inl (for plus and
// add_differences). As in dd_kernels.inl, no inline function of a header may be called.

namespace gantry::GANTRY_ISA {

namespace {

/// Offset in a padded row of the first of the two values under an interval, and its weight; the
/// next value has the weight 1 - share.
struct Place {
  int first;
  float share;
};

inline Place under_interval(float low, float inverse_length, float width) {
  const float inside = minf(maxf(low, -1.0F), width) + 1.0F;
  const int first = static_cast<int>(inside);
  return {first, minf((static_cast<float>(first) + 1.0F - inside) * inverse_length, 1.0F)};
}

void siddon_joseph_forward(const RayIntervals& rays, const float* image, int width, int slices,
                           float* __restrict__ sum) {
  const float* __restrict__ low = rays.low;
  const float* __restrict__ step = rays.step;
  const float* __restrict__ inverse_length = rays.inverse_length;
  const int count = rays.count;
  const float top = static_cast<float>(width);
  for (int k = 0; k < slices; ++k) {
    const float* row = image + static_cast<long>(k) * (width + row_padding);
    const float slice = static_cast<float>(k);
#pragma GCC ivdep
    for (int c = 0; c < count; ++c) {
      const Place at = under_interval(low[c] + slice * step[c], inverse_length[c], top);
      const float next = row[at.first + 1];
      sum[c] += next + at.share * (row[at.first] - next);
    }
  }
}

constexpr int scatter_chunk = 128;  // weights computed as vectors before they are spread

using Two = float __attribute__((vector_size(8), may_alias));

inline void add_pair(ValuePair* at, float here, float next) {
  *reinterpret_cast<Two*>(at) += Two{here, next};
}

/// pairs[first[i]] += {part[i], rest[i]}, each pair as one value of eight bytes. Neighbouring rays
/// often add to the same pair, where each addition would wait for the previous one; the loop
/// therefore alternates between the four quarters of the list.
inline void spread_pairs(const int* first, const float* part, const float* rest, int count,
                         ValuePair* pairs) {
  const int quarter = count / 4;
  for (int i = 0; i < quarter; ++i)
    for (int j = i; j < 4 * quarter; j += quarter) add_pair(pairs + first[j], part[j], rest[j]);
  for (int i = 4 * quarter; i < count; ++i) add_pair(pairs + first[i], part[i], rest[i]);
}

void siddon_joseph_adjoint(const RayIntervals& rays, const float* value, int width, int slices,
                           ValuePair* image) {
  const float top = static_cast<float>(width);
  int first[scatter_chunk];
  float part[scatter_chunk], rest[scatter_chunk];
  for (int begin = 0; begin < rays.count; begin += scatter_chunk) {
    const int count = mini(scatter_chunk, rays.count - begin);
    const float* __restrict__ low = rays.low + begin;
    const float* __restrict__ step = rays.step + begin;
    const float* __restrict__ inverse_length = rays.inverse_length + begin;
    const float* __restrict__ values = value + begin;
    for (int k = 0; k < slices; ++k) {
      const float slice = static_cast<float>(k);
#pragma GCC ivdep
      for (int c = 0; c < count; ++c) {
        const Place at = under_interval(low[c] + slice * step[c], inverse_length[c], top);
        first[c] = at.first;
        part[c] = at.share * values[c];
        rest[c] = values[c] - part[c];
      }
      spread_pairs(first, part, rest, count, image + static_cast<long>(k) * (width + row_padding));
    }
  }
}

inline Place under_row(const RowIntervals& rows, int q, float voxels) {
  const float low =
      rows.origin + rows.pitch * static_cast<float>(q) - rows.half_length * rows.distance[q];
  return under_interval(low, rows.inverse_scale * rows.inverse_distance[q], voxels);
}

void gather_rows(const RowIntervals& given, const float* __restrict__ line, int voxels,
                 float weight, float* __restrict__ out) {
  const RowIntervals rows = given;
  const float top = static_cast<float>(voxels);
#pragma GCC ivdep
  for (int q = rows.first; q < rows.last; ++q) {
    const Place at = under_row(rows, q, top);
    const float next = line[at.first + 1];
    out[q] += weight * (next + at.share * (line[at.first] - next));
  }
}

void scatter_rows(const RowIntervals& given, const float* __restrict__ in, int voxels, float weight,
                  ValuePair* pairs) {
  const RowIntervals rows = given;
  const float top = static_cast<float>(voxels);
  int first[scatter_chunk];
  float part[scatter_chunk], rest[scatter_chunk];
  for (int begin = rows.first; begin < rows.last; begin += scatter_chunk) {
    const int count = mini(scatter_chunk, rows.last - begin);
#pragma GCC ivdep
    for (int q = 0; q < count; ++q) {
      const Place at = under_row(rows, begin + q, top);
      const float value = weight * in[begin + q];
      first[q] = at.first;
      part[q] = at.share * value;
      rest[q] = value - part[q];
    }
    spread_pairs(first, part, rest, count, pairs);
  }
}

/// Sums up, for the lower edge z of every voxel, what all rows add below z. Since intervals do not
/// overlap, z can lie only inside the interval of the row whose middle is nearest to z: the earlier
/// rows count in full, that row in part. This is the transpose of gather_rows, which computes the
/// low end of an interval in the same way.
void spread_sums(const RowIntervals& given, const RowSums& sums, int voxels, float weight,
                 std::int32_t* __restrict__ edges, float* __restrict__ line) {
  const RowIntervals rows = given;
  const std::int32_t* __restrict__ at = sums.at;
  const float* __restrict__ inverse_distance = rows.inverse_distance;
  const float central = sums.central_row, top = static_cast<float>(sums.rows) + 1.0F;
  const float inverse_pitch = 1.0F / rows.pitch, shift = 1.5F - rows.origin * inverse_pitch;
  const int last_row = sums.rows - 1;
#pragma GCC ivdep
  for (int z = 0; z <= voxels; ++z) {
    const float edge = static_cast<float>(z);
    const int j = static_cast<int>(minf(maxf(edge * inverse_pitch + shift, 0.0F), top));
    const float row = static_cast<float>(j - 1);
    const float low =
        rows.origin + rows.pitch * row - rows.half_length * __builtin_fabsf(row - central);
    const float inverse_length =
        rows.inverse_scale * inverse_distance[mini(maxi(j - 1, 0), last_row)];
    const float share = minf(maxf((edge - low) * inverse_length, 0.0F), 1.0F);
    edges[z] = plus(at[j], static_cast<std::int32_t>(share * difference(at[j + 1], at[j])));
  }
  add_differences(edges, weight, voxels, line + 1);
}

void combine(float a, const float* x, float b, const float* y, int count, float* __restrict__ out) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) out[i] = a * x[i] + b * y[i];
}

void distribute(float a, float b, ValuePair* pairs, int count, float* x, float* y) {
  float sum[scatter_chunk];
  float before = 0;  // `next` of the last pair of the previous chunk
  for (int begin = 0; begin < count; begin += scatter_chunk) {
    const int size = mini(scatter_chunk, count - begin);
    ValuePair* chunk = pairs + begin;
    sum[0] = chunk[0].here + before;
    before = chunk[size - 1].next;
#pragma GCC ivdep
    for (int i = 1; i < size; ++i) sum[i] = chunk[i].here + chunk[i - 1].next;
    for (int i = 0; i < size; ++i) chunk[i] = {0.0F, 0.0F};
      // Separate loops, because x and y may be the same line.
#pragma GCC ivdep
    for (int i = 0; i < size; ++i) x[begin + i] += a * sum[i];
    if (b == 0.0F) continue;
#pragma GCC ivdep
    for (int i = 0; i < size; ++i) y[begin + i] += b * sum[i];
  }
}

}  // namespace

extern const SiddonJosephKernels siddon_joseph_table = {siddon_joseph_forward,
                                                        siddon_joseph_adjoint,
                                                        gather_rows,
                                                        scatter_rows,
                                                        spread_sums,
                                                        combine,
                                                        distribute};

}  // namespace gantry::GANTRY_ISA
