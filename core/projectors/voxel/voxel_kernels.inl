// The loops behind voxel_kernels.hpp, included once per instruction set after dd_kernels.inl (for
// minf, maxf, mini, maxi and twice_atan). As in dd_kernels.inl, no inline function of a header may
// be called.

namespace gantry::GANTRY_ISA {

namespace {

/// Computes the line of VoxelValues (the detector column + 1) onto which voxel i projects, and
/// 1 / distance of the voxel. Holds copies, so that the compiler sees that no store changes them.
template <VoxelBeam beam>
struct Landing {
  VoxelRow row;
  float top;

  void operator()(int i, float& column, float& inverse) const {
    const float across = row.across + static_cast<float>(i) * row.across_step;
    const float depth = row.depth + static_cast<float>(i) * row.depth_step;
    float q = across;
    inverse = 1.0F;
    if (beam == VoxelBeam::flat) {
      inverse = 1.0F / depth;
      q = across * inverse;
    }
    if (beam == VoxelBeam::arc) {
      // atan(across / depth) = 2 atan(across / (depth + rho)); one division serves both.
      const float rho = __builtin_sqrtf(across * across + depth * depth), sum = depth + rho;
      const float both = 1.0F / (rho * sum);
      inverse = both * sum;
      q = twice_atan(across * both * rho);
    }
    column = minf(maxf(row.gain * q + row.bias + 1.0F, 0.0F), top);
  }
};

template <VoxelBeam beam>
Landing<beam> landing(const VoxelRow& row, const VoxelValues& values) {
  return {row, static_cast<float>(values.columns) + 1.0F};
}

template <VoxelBeam beam, int power>
inline float distance_weight(float inverse) {
  return beam == VoxelBeam::parallel ? 1.0F : power == 1 ? inverse : inverse * inverse;
}

template <VoxelBeam beam, int power>
void spread_row_as(const VoxelRow& row, const VoxelValues& values, int count,
                   float* __restrict__ image) {
  const Landing<beam> land = landing<beam>(row, values);
  const float* __restrict__ value = values.first;
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    float column, inverse;
    land(i, column, inverse);
    const int c = static_cast<int>(column);
    const float beyond = column - static_cast<float>(c);
    image[i] +=
        distance_weight<beam, power>(inverse) * (value[c] + beyond * (value[c + 1] - value[c]));
  }
}

/// image[z] += value of the line at offset place + z step, for z = first .. last - 1.
inline void spread_line(const float* __restrict__ line, float place, float step, int first,
                        int last, float* __restrict__ image) {
#pragma GCC ivdep
  for (int z = first; z < last; ++z) {
    const float at = place + static_cast<float>(z) * step;
    const int k = static_cast<int>(at);
    const float beyond = at - static_cast<float>(k);
    image[z] += line[k] + beyond * (line[k + 1] - line[k]);
  }
}

/// Adds to one voxel line, after interpolating between the two detector columns next to the line's
/// projection.
inline void spread_column(const VoxelAxis& axis, const VoxelValues& values, float column,
                          float weight, float zoom, float* __restrict__ line, float* image) {
  // An offset in a line is row + 1. Voxels more than half a row outside the detector get nothing.
  const float place = axis.center + axis.rise * zoom + 1.0F, step = axis.rise_step * zoom;
  const float slices = static_cast<float>(axis.slices), rows = static_cast<float>(axis.rows);
  const float low = minf(maxf((0.5F - place) / step, 0.0F), slices);
  const float high = minf(maxf((rows + 0.5F - place) / step, -1.0F), slices - 1.0F);
  const int below = static_cast<int>(low),
            first = below + (static_cast<float>(below) < low ? 1 : 0);
  const int last = high < 0.0F ? 0 : static_cast<int>(high) + 1;
  if (first >= last) return;
  const int line_first = maxi(static_cast<int>(place + static_cast<float>(first) * step), 0);
  const int line_last =
      mini(static_cast<int>(place + static_cast<float>(last - 1) * step) + 2, axis.rows + 2);
  const int c = static_cast<int>(column);
  const float beyond = column - static_cast<float>(c);
  const float from_a = weight * (1.0F - beyond), from_b = weight * beyond;
  const float* __restrict__ a = values.first + c * values.stride;
  const float* __restrict__ b = a + values.stride;
  for (int k = line_first; k < line_last; ++k) line[k] = from_a * a[k] + from_b * b[k];
  spread_line(line, place, step, first, last, image);
}

template <VoxelBeam beam, int power>
void spread_columns_as(const VoxelRow& row, const VoxelAxis& axis, const VoxelValues& values,
                       int count, float* __restrict__ scratch, float* image) {
  const Landing<beam> land = landing<beam>(row, values);
  float* __restrict__ column = scratch;
  float* __restrict__ inverse = scratch + count;
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) land(i, column[i], inverse[i]);
  for (int i = 0; i < count; ++i)
    if (column[i] < land.top && column[i] > 0.0F)
      spread_column(axis, values, column[i], distance_weight<beam, power>(inverse[i]),
                    axis.diverges ? inverse[i] : 1.0F, scratch + 2L * count,
                    image + static_cast<long>(i) * axis.slices);
}

/// As spread_columns_as for lines of one voxel, side by side instead of one after the other.
template <VoxelBeam beam, int power>
void spread_slice_as(const VoxelRow& row, const VoxelAxis& axis, const VoxelValues& values,
                     int count, float* __restrict__ image) {
  const Landing<beam> land = landing<beam>(row, values);
  const float* __restrict__ value = values.first;
  const float highest = static_cast<float>(axis.rows) + 0.5F;
  const int stride = static_cast<int>(values.stride);
  // No branch inside the loop, which would not become vector instructions.
  const float zoom_of_any = axis.diverges ? 0.0F : 1.0F, zoom_of_inverse = 1.0F - zoom_of_any;
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    float column, inverse;
    land(i, column, inverse);
    const float at = axis.center + axis.rise * (zoom_of_any + zoom_of_inverse * inverse) + 1.0F,
                inside = minf(maxf(at, 0.0F), highest);
    const int c = static_cast<int>(column), k = static_cast<int>(inside), a = c * stride + k,
              b = a + stride;
    const float across = column - static_cast<float>(c), up = inside - static_cast<float>(k);
    const float weight = distance_weight<beam, power>(inverse), from_a = weight * (1.0F - across),
                from_b = weight * across;
    const float low = from_a * value[a] + from_b * value[b],
                high = from_a * value[a + 1] + from_b * value[b + 1];
    // 0 for voxels more than half a row outside the detector, else 1.
    const float outside = __builtin_fabsf(at - minf(maxf(at, 0.5F), highest)),
                seen = 1.0F - minf(outside * 1e30F, 1.0F);
    image[i] += seen * (low + up * (high - low));
  }
}

void spread_slice(VoxelBeam beam, int power, const VoxelRow& row, const VoxelAxis& axis,
                  const VoxelValues& values, int count, float* image) {
  const auto spread =
      beam == VoxelBeam::parallel ? spread_slice_as<VoxelBeam::parallel, 1>
      : beam == VoxelBeam::flat
          ? (power == 1 ? spread_slice_as<VoxelBeam::flat, 1> : spread_slice_as<VoxelBeam::flat, 2>)
          : (power == 1 ? spread_slice_as<VoxelBeam::arc, 1> : spread_slice_as<VoxelBeam::arc, 2>);
  spread(row, axis, values, count, image);
}

void spread_row(VoxelBeam beam, int power, const VoxelRow& row, const VoxelValues& values,
                int count, float* image) {
  const auto spread =
      beam == VoxelBeam::parallel ? spread_row_as<VoxelBeam::parallel, 1>
      : beam == VoxelBeam::flat
          ? (power == 1 ? spread_row_as<VoxelBeam::flat, 1> : spread_row_as<VoxelBeam::flat, 2>)
          : (power == 1 ? spread_row_as<VoxelBeam::arc, 1> : spread_row_as<VoxelBeam::arc, 2>);
  spread(row, values, count, image);
}

void spread_columns(VoxelBeam beam, int power, const VoxelRow& row, const VoxelAxis& axis,
                    const VoxelValues& values, int count, float* scratch, float* image) {
  const auto spread = beam == VoxelBeam::parallel ? spread_columns_as<VoxelBeam::parallel, 1>
                      : beam == VoxelBeam::flat
                          ? (power == 1 ? spread_columns_as<VoxelBeam::flat, 1>
                                        : spread_columns_as<VoxelBeam::flat, 2>)
                          : (power == 1 ? spread_columns_as<VoxelBeam::arc, 1>
                                        : spread_columns_as<VoxelBeam::arc, 2>);
  spread(row, axis, values, count, scratch, image);
}

}  // namespace

extern const VoxelKernels voxel_table = {spread_row, spread_columns, spread_slice};

}  // namespace gantry::GANTRY_ISA
