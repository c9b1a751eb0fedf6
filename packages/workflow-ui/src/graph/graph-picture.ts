import type { StatusKind } from '@weir/ui-kit';
import { nodeSize } from '@weir/ui-kit/graph-layout';
import type { Colours } from './draw-overview';
import { arrowPath, edgePath } from './edge-path';
import { titleOf, type GraphItem, type LaidOut } from './graph-items';
import type { NodeLook } from './graph-store';

export interface GraphPicture {
  readonly laidOut: LaidOut;
  readonly lookOf: (names: readonly string[]) => NodeLook;
  /** Returns the name of a status. */
  readonly nameOf: (status: StatusKind) => string;
  readonly colours: Pick<Colours, 'edge' | 'text' | 'page' | 'accent'>;
  /** Returns the colour of a status, or of a step without one. */
  readonly colourOf: (status: StatusKind | undefined) => string;
  /** Shortens a text to the width of a node. */
  readonly fit: (text: string) => string;
}

export const pictureMargin = 16;

/** Returns the graph as a self-contained SVG file: it includes colours, texts and their font. */
export function toSvg(picture: GraphPicture): string {
  const { laidOut, lookOf, colours } = picture;
  const { items, layout, direction } = laidOut;
  const [width, height] = [layout.width + 2 * pictureMargin, layout.height + 2 * pictureMargin];
  const isRight = direction === 'right';
  const namesOf = new Map(items.map(({ id, names }) => [id, names]));
  const isCritical = (id: string): boolean => lookOf(namesOf.get(id) ?? []).isCritical;
  const edges = layout.edges.map((edge) => {
    const isMarked = isCritical(edge.from) && isCritical(edge.to);
    const colour = isMarked ? colours.accent : colours.edge;
    const line = `<path d="${edgePath(edge, isRight)}" fill="none" stroke="${colour}" stroke-width="${isMarked ? 2.5 : 1.25}"/>`;
    return `${line}<path d="${arrowPath(edge, isRight)}" fill="${colour}"/>`;
  });
  const nodes = items.flatMap((item, index) => {
    const place = layout.nodes[index];
    return place === undefined ? [] : [drawNode(item, place, picture)];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">`,
    `<rect width="${width}" height="${height}" fill="${colours.page}"/>`,
    `<g transform="translate(${pictureMargin} ${pictureMargin})">`,
    ...edges,
    ...nodes,
    '</g></svg>',
  ].join('\n');
}

function drawNode(
  item: GraphItem,
  { x, y }: { readonly x: number; readonly y: number },
  picture: GraphPicture,
): string {
  const { lookOf, nameOf, colours, colourOf, fit } = picture;
  const look = lookOf(item.names);
  const { width, height } = nodeSize;
  const colour = colourOf(look.status);
  const note = [look.status === undefined ? '' : nameOf(look.status), item.kind ?? '']
    .filter((text) => text !== '')
    .join(' · ');
  const border = `stroke="${look.isCritical ? colours.accent : colour}" stroke-width="${look.isCritical ? 3 : 1.25}"`;
  const line = (text: string, at: number, size: number, fill: string): string =>
    `<text x="14" y="${at}" font-size="${size}" fill="${fill}">${escapeText(fit(text))}</text>`;
  return [
    `<g transform="translate(${x} ${y})"><title>${escapeText(item.names.join(', '))}</title>`,
    `<rect width="${width}" height="${height}" rx="6" fill="${colours.page}" ${border}/>`,
    look.status === undefined ? '' : `<rect width="4" height="${height}" rx="2" fill="${colour}"/>`,
    line(titleOf(item), note === '' ? 27 : 19, 14, colours.text),
    note === '' ? '' : line(note, 35, 12, look.status === undefined ? colours.text : colour),
    '</g>',
  ].join('');
}

/** Control characters are not allowed in XML at all. */
function escapeText(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '').replaceAll(/\p{Cc}/gu, ' ');
}
