export { type GraphNode } from './graph';
export {
  layoutGraph,
  nodeSize,
  type GraphDirection,
  type GraphLayout,
  type PlacedEdge,
  type PlacedNode,
} from './layout-graph';
