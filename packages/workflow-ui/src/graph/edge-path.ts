import type { PlacedEdge } from '@weir/ui-kit/graph-layout';

type Point = readonly [number, number];

/** Returns the corners of an edge. */
export function toPoints({ points }: PlacedEdge): readonly Point[] {
  return Array.from({ length: points.length / 2 }, (_, index) => [points[2 * index] ?? 0, points[2 * index + 1] ?? 0]);
}

/** Returns an edge as the commands of an SVG path: from rank to rank in curves that leave and arrive straight. */
export function edgePath(edge: PlacedEdge, isRight: boolean): string {
  const [start, ...others] = toPoints(edge);
  if (start === undefined) return '';
  let [x, y] = start;
  const commands = [`M${x} ${y}`];
  for (const [nextX, nextY] of others) {
    const middleX = (x + nextX) / 2;
    const middleY = (y + nextY) / 2;
    const isStraight = isRight ? y === nextY : x === nextX;
    const bend = isRight ? `${middleX} ${y} ${middleX} ${nextY}` : `${x} ${middleY} ${nextX} ${middleY}`;
    commands.push(isStraight ? `L${nextX} ${nextY}` : `C${bend} ${nextX} ${nextY}`);
    [x, y] = [nextX, nextY];
  }
  return commands.join('');
}

const headLength = 7;
const headHalf = 3.5;

/** Returns the head of the arrow of an edge. */
export function arrowPath(edge: PlacedEdge, isRight: boolean): string {
  const [x, y] = toPoints(edge).at(-1) ?? [0, 0];
  return isRight
    ? `M${x} ${y}l-${headLength} -${headHalf}v${2 * headHalf}z`
    : `M${x} ${y}l-${headHalf} -${headLength}h${2 * headHalf}z`;
}
