import { nodeSize } from '@weir/ui-kit/graph-layout';
import type { StatusTone } from '@weir/ui-kit';
import { toPoints } from './edge-path';
import { titleOf, type LaidOut } from './graph-items';
import type { NodeLook } from './graph-store';
import { statusTones } from '@weir/ui-kit';
import type { Size, View } from './start-view';

export type Colours = Readonly<Record<StatusTone | 'edge' | 'text' | 'page' | 'accent', string>>;

export interface Picture {
  readonly laidOut: LaidOut;
  readonly lookOf: (names: readonly string[]) => NodeLook;
  readonly colours: Colours;
  readonly font: string;
}

/** Names are readable from this scale on. */
const namedFrom = 0.55;
const fadedAlpha = 0.2;

/** Draws the visible part of the graph. */
export function drawOverview(context: CanvasRenderingContext2D, size: Size, view: View, picture: Picture): void {
  const { x, y, scale } = view;
  const ratio = devicePixelRatio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y);
  const seen = {
    left: -x / scale,
    top: -y / scale,
    right: (size.width - x) / scale,
    bottom: (size.height - y) / scale,
  };
  drawEdges(context, seen, picture, scale);
  drawNodes(context, seen, picture, scale);
}

interface Seen {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function drawEdges(
  context: CanvasRenderingContext2D,
  seen: Seen,
  { laidOut: { layout }, colours }: Picture,
  scale: number,
): void {
  context.strokeStyle = colours.edge;
  context.lineWidth = Math.min(2, 1 / scale);
  context.beginPath();
  for (const edge of layout.edges) {
    const points = toPoints(edge);
    const isSeen = points.some(([px, py], index) => isBetween(seen, [px, py], points[index + 1] ?? [px, py]));
    if (!isSeen) continue;
    for (const [index, [px, py]] of points.entries()) {
      if (index === 0) context.moveTo(px, py);
      else context.lineTo(px, py);
    }
  }
  context.stroke();
}

/** Whether the box around a line touches the visible part. */
function isBetween(seen: Seen, [x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): boolean {
  return (
    Math.max(x, toX) >= seen.left &&
    Math.min(x, toX) <= seen.right &&
    Math.max(y, toY) >= seen.top &&
    Math.min(y, toY) <= seen.bottom
  );
}

function drawNodes(
  context: CanvasRenderingContext2D,
  seen: Seen,
  { laidOut: { items, layout }, lookOf, colours, font }: Picture,
  scale: number,
): void {
  const { width, height } = nodeSize;
  context.font = `14px ${font}`;
  context.textBaseline = 'middle';
  for (const [index, { x, y }] of layout.nodes.entries()) {
    const item = items[index];
    if (item === undefined || !isBetween(seen, [x, y], [x + width, y + height])) continue;
    const { status, isSelected, isFaded, isCritical } = lookOf(item.names);
    const isMarked = isSelected || isCritical;
    const colour = colours[status === undefined ? 'none' : statusTones[status]];
    context.globalAlpha = isFaded ? fadedAlpha : 1;
    context.fillStyle = scale < namedFrom ? colour : colours.page;
    context.fillRect(x, y, width, height);
    context.strokeStyle = isMarked ? colours.accent : colour;
    context.lineWidth = isMarked ? 3 / scale : 1.5;
    context.strokeRect(x, y, width, height);
    if (scale < namedFrom) continue;
    context.fillStyle = colour;
    context.fillRect(x, y, 5, height);
    context.fillStyle = colours.text;
    context.fillText(titleOf(item), x + 14, y + height / 2, width - 24);
  }
  context.globalAlpha = 1;
}
