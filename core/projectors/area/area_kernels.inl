// The loops behind area_kernels.hpp, included once per instruction set. As in dd_kernels.inl, no
// inline function of a header may be called.

namespace gantry::GANTRY_ISA {

namespace {

/// How an edge cuts the layers of the lanes: the place of the lane in row i + 2 of sums or parts,
/// and the fractions F_i and F_{i+1}.
struct AreaCut {
  int at[area_lanes];
  double here[area_lanes], next[area_lanes];
};

inline void cut_layers(const AreaCrossing& edge, double first_layer, double width, AreaCut& cut) {
  for (int l = 0; l < area_lanes; ++l) {
    // Beyond the layer's ends it does not matter where an edge lies.
    const double a = edge.low + (first_layer + l) * edge.step + 2.0,
                 inside = a < 0.0 ? 0.0 : (a > width + 2.0 ? width + 2.0 : a);
    const int row = static_cast<int>(inside);
    const double f = inside - row, over = f + 2.0 * edge.half_length - 1.0,
                 beyond = over > 0.0 ? over : 0.0;
    cut.at[l] = row * area_lanes + l;
    cut.next[l] = edge.per_twice_length * (beyond * beyond);
    cut.here[l] = f + edge.half_length - cut.next[l];
  }
}

void area_sum_lines(const AreaDistance& given, const float* __restrict__ lines, int width,
                    double* __restrict__ sums) {
  const AreaDistance distance = given;
  double sum[area_lanes] = {}, square[area_lanes];
  for (int l = 0; l < area_lanes; ++l) {
    const double w = distance.w_first + l * distance.w_step;
    square[l] = w * w;
  }
  for (int i = 0; i < 3 * area_lanes; ++i) sums[i] = 0.0;
  double* to = sums + 3 * area_lanes;
  for (int u = 0; u < width; ++u, lines += area_lanes, to += area_lanes) {
    const double across = distance.u_first + u * distance.u_step;
    if (distance.applies)
      for (int l = 0; l < area_lanes; ++l)
        sum[l] += lines[l] / __builtin_sqrt(across * across + square[l]);
    else
      for (int l = 0; l < area_lanes; ++l) sum[l] += lines[l];
    for (int l = 0; l < area_lanes; ++l) to[l] = sum[l];
  }
  for (int row = 0; row < 2; ++row, to += area_lanes)
    for (int l = 0; l < area_lanes; ++l) to[l] = sum[l];
}

void area_gather(const AreaCrossing* edges, int count, int first_layer, int width,
                 const double* __restrict__ sums, int planes, double* __restrict__ strips) {
  const long plane_size = static_cast<long>(area_rows(width)) * area_lanes;
  double before[area_planes][area_lanes] = {};
  AreaCut cut;
  for (int e = 0; e < count; ++e) {
    cut_layers(edges[e], first_layer, width, cut);
    for (int p = 0; p < planes; ++p) {
      const double* __restrict__ sum = sums + p * plane_size;
      double* __restrict__ out = strips + (static_cast<long>(p) * count + e) * area_lanes;
#pragma GCC ivdep
      for (int l = 0; l < area_lanes; ++l) {
        // Equal sums give the same value exactly: where the image is zero a strip gets zero.
        const double* at = sum + cut.at[l];
        const double first = at[0], second = at[area_lanes], third = at[2 * area_lanes];
        const double below =
            first + cut.here[l] * (second - first) + cut.next[l] * (third - second);
        out[l] += below - before[p][l];
        before[p][l] = below;
      }
    }
  }
}

void area_spread(const AreaCrossing* edges, int count, int first_layer, int width,
                 const double* rises, double rounding, int planes, double* parts) {
  const long plane_size = static_cast<long>(area_rows(width)) * area_lanes;
  AreaCut cut;
  double below[area_lanes], here[area_lanes], next[area_lanes];
  for (int e = 0; e < count; ++e) {
    cut_layers(edges[e], first_layer, width, cut);
    for (int p = 0; p < planes; ++p) {
      const double rise = rises[static_cast<long>(p) * count + e];
      for (int l = 0; l < area_lanes; ++l) {
        const double both = rise * cut.here[l] + rounding - rounding;
        next[l] = rise * cut.next[l] + rounding - rounding;
        below[l] = rise - both;
        here[l] = both - next[l];
      }
      double* plane = parts + p * plane_size;
      for (int l = 0; l < area_lanes; ++l) {
        double* at = plane + cut.at[l];
        at[0] += below[l];
        at[area_lanes] += here[l];
        at[2 * area_lanes] += next[l];
      }
    }
  }
}

void area_collect_lines(const AreaDistance& given, int width, double* __restrict__ parts,
                        double* __restrict__ lines) {
  const AreaDistance distance = given;
  double sum[area_lanes] = {}, square[area_lanes];
  for (int l = 0; l < area_lanes; ++l) {
    const double w = distance.w_first + l * distance.w_step;
    square[l] = w * w;
  }
  for (int row = area_rows(width) - 1; row >= 3; --row) {
    const int u = row - 3;
    double* __restrict__ part = parts + static_cast<long>(row) * area_lanes;
    for (int l = 0; l < area_lanes; ++l) sum[l] += part[l];
    for (int l = 0; l < area_lanes; ++l) part[l] = 0.0;
    if (u >= width) continue;
    double* __restrict__ line = lines + static_cast<long>(u) * area_lanes;
    const double across = distance.u_first + u * distance.u_step;
    if (distance.applies)
      for (int l = 0; l < area_lanes; ++l)
        line[l] += sum[l] / __builtin_sqrt(across * across + square[l]);
    else
      for (int l = 0; l < area_lanes; ++l) line[l] += sum[l];
  }
  for (int i = 0; i < 3 * area_lanes; ++i) parts[i] = 0.0;
}

}  // namespace

extern const AreaKernels area_table = {area_sum_lines, area_gather, area_spread,
                                       area_collect_lines};

}  // namespace gantry::GANTRY_ISA
