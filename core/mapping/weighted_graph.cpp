#include "core/mapping/weighted_graph.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#ifdef GANTRY_METIS
#include <metis.h>
#endif

namespace gantry {

WeightedGraph common_members(const std::vector<std::vector<std::uint32_t>>& sets) {
  std::uint32_t largest = 0;
  std::size_t entries = 0;
  for (const auto& set : sets) {
    entries += set.size();
    for (const std::uint32_t member : set) largest = std::max(largest, member);
  }
  // The nodes that own a member, as a chain of entries: first[member], then next[entry].
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> first(std::size_t{largest} + 1, none), next, owner;
  next.reserve(entries);
  owner.reserve(entries);
  for (std::size_t n = 0; n < sets.size(); ++n)
    for (const std::uint32_t member : sets[n]) {
      const auto node = static_cast<std::int32_t>(n);
      std::int32_t& begin = first[member];
      if (begin != none && owner[static_cast<std::size_t>(begin)] == node) continue;
      next.push_back(begin);
      owner.push_back(node);
      begin = static_cast<std::int32_t>(next.size()) - 1;
    }
  WeightedGraph graph;
  std::vector<std::int32_t> common(sets.size(), 0), touched;
  std::vector<std::int32_t> counted_for(std::size_t{largest} + 1, none);
  for (std::size_t n = 0; n < sets.size(); ++n) {
    const auto node = static_cast<std::int32_t>(n);
    touched.clear();
    for (const std::uint32_t member : sets[n]) {
      if (std::exchange(counted_for[member], node) == node) continue;
      for (std::int32_t entry = first[member]; entry != none;
           entry = next[static_cast<std::size_t>(entry)]) {
        const std::int32_t other = owner[static_cast<std::size_t>(entry)];
        if (other != node && common[static_cast<std::size_t>(other)]++ == 0)
          touched.push_back(other);
      }
    }
    std::ranges::sort(touched);
    for (const std::int32_t other : touched) {
      graph.neighbour.push_back(other);
      graph.weight.push_back(std::exchange(common[static_cast<std::size_t>(other)], 0));
    }
    graph.start.push_back(static_cast<std::int32_t>(graph.neighbour.size()));
  }
  return graph;
}

std::vector<int> welsh_powell(const WeightedGraph& graph) {
  std::vector<std::size_t> order(graph.nodes());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return graph.degree(a) > graph.degree(b); });
  std::vector<int> colours(graph.nodes(), -1), blocked_for(graph.nodes(), -1);
  std::size_t left = graph.nodes();
  for (int colour = 0; left > 0; ++colour)
    for (const std::size_t node : order) {
      if (colours[node] >= 0 || blocked_for[node] == colour) continue;
      colours[node] = colour;
      --left;
      for (const std::int32_t other : graph.neighbours(node))
        blocked_for[static_cast<std::size_t>(other)] = colour;
    }
  return colours;
}

std::vector<int> grown_parts(const WeightedGraph& graph, int parts) {
  const std::size_t nodes = graph.nodes(), most = (nodes + static_cast<std::size_t>(parts) - 1) /
                                                  static_cast<std::size_t>(parts);
  std::vector<int> part_of(nodes, -1);
  std::vector<std::int64_t> pull(nodes, 0);  // weight of the edges into the present part
  std::size_t next = 0;
  for (int part = 0; part < parts; ++part) {
    std::vector<std::size_t> near;  // nodes outside the part with an edge into it
    for (std::size_t count = 0; count < most; ++count) {
      while (next < nodes && part_of[next] >= 0) ++next;
      if (next == nodes) return part_of;
      std::size_t chosen = next;
      for (const std::size_t node : near)
        if (part_of[node] < 0 && pull[node] > (part_of[chosen] < 0 ? pull[chosen] : -1))
          chosen = node;
      part_of[chosen] = part;
      for (std::size_t e = static_cast<std::size_t>(graph.start[chosen]);
           e < static_cast<std::size_t>(graph.start[chosen + 1]); ++e) {
        const auto other = static_cast<std::size_t>(graph.neighbour[e]);
        if (part_of[other] >= 0) continue;
        if (pull[other] == 0) near.push_back(other);
        pull[other] += graph.weight[e];
      }
    }
    for (const std::size_t node : near) pull[node] = 0;
  }
  return part_of;
}

bool partitions_by_metis() {
#ifdef GANTRY_METIS
  return true;
#else
  return false;
#endif
}

#ifdef GANTRY_METIS
std::vector<int> partition(const WeightedGraph& graph, int parts, int seed) {
  if (parts < 2 || graph.neighbour.empty()) return grown_parts(graph, parts);
  idx_t nodes = static_cast<idx_t>(graph.nodes()), constraints = 1, count = parts, cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = seed;
  std::vector<idx_t> start(graph.start.begin(), graph.start.end()),
      neighbour(graph.neighbour.begin(), graph.neighbour.end()),
      weight(graph.weight.begin(), graph.weight.end()), part(graph.nodes(), 0);
  // METIS draws its numbers from the sequence of rand(), which belongs to the process: threads that
  // draw at once would get other parts in every run.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const int status =
      METIS_PartGraphKway(&nodes, &constraints, start.data(), neighbour.data(), nullptr, nullptr,
                          weight.data(), &count, nullptr, nullptr, options, &cut, part.data());
  if (status != METIS_OK) return grown_parts(graph, parts);
  return {part.begin(), part.end()};
}
#else
std::vector<int> partition(const WeightedGraph& graph, int parts, int /*seed*/) {
  return grown_parts(graph, parts);
}
#endif

}  // namespace gantry
