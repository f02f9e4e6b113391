#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// An undirected graph with weights: node n has the edges start[n] .. start[n + 1] - 1, each of
/// which is also an edge of the node at its other end.
struct WeightedGraph {
  std::vector<std::int32_t> start{0}, neighbour, weight;

  std::size_t nodes() const { return start.size() - 1; }
  std::size_t degree(std::size_t node) const {
    return static_cast<std::size_t>(start[node + 1] - start[node]);
  }
  std::span<const std::int32_t> neighbours(std::size_t node) const {
    return std::span(neighbour).subspan(static_cast<std::size_t>(start[node]), degree(node));
  }
};

/// Returns the graph of sets of numbers: the weight of an edge is the number of members that two
/// sets have in common; no edge if there is none. A member that a set has several times counts
/// once.
WeightedGraph common_members(const std::vector<std::vector<std::uint32_t>>& sets);

/// Returns the colours of the nodes, 0, 1, ..., by the method of Welsh and Powell (Comput. J. 10
/// (1967) 85): nodes by descending degree; each colour takes every node, in this order, that no
/// node of the colour is a neighbour of.
std::vector<int> welsh_powell(const WeightedGraph& graph);

/// Whether partition() uses METIS (Karypis and Kumar, SIAM J. Sci. Comput. 20 (1998) 359) in this
/// build; otherwise it grows parts from single nodes along the heaviest edges.
bool partitions_by_metis();

/// Returns the parts of the nodes, 0 .. parts - 1, chosen so that the edges between parts weigh
/// little. Parts have about equal sizes. The same seed gives the same parts.
std::vector<int> partition(const WeightedGraph& graph, int parts, int seed);
/// Does so without METIS. Parts have at most ceil(nodes / parts) nodes.
std::vector<int> grown_parts(const WeightedGraph& graph, int parts);

}  // namespace gantry
