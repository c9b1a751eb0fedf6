import { statusTones } from '@weir/ui-kit';
import { nodeSize } from '@weir/ui-kit/graph-layout';
import { saveFile } from '../parts/save-file';
import { pictureMargin, toSvg, type GraphPicture } from './graph-picture';
import { readColours } from './use-picture';

export interface SavedGraph extends Omit<GraphPicture, 'colours' | 'colourOf' | 'fit'> {
  /** The name without an extension. */
  readonly fileName: string;
}

/** Browsers draw no larger pictures. */
const mostPixels = 16_000;
const pngScale = 2;
const textRoom = nodeSize.width - 24;
const nameFont = '14px system-ui, sans-serif';

/** Creates the picture and offers it as a download. */
export async function saveGraph(format: 'svg' | 'png', { fileName, ...graph }: SavedGraph): Promise<void> {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colours = readColours(probe);
  probe.remove();
  const colourOf: GraphPicture['colourOf'] = (status) => colours[status === undefined ? 'none' : statusTones[status]];
  const picture = { ...graph, colours, colourOf, fit: createFit() };
  const svg = new Blob([toSvg(picture)], { type: 'image/svg+xml' });
  const { width, height } = graph.laidOut.layout;
  const size = { width: width + 2 * pictureMargin, height: height + 2 * pictureMargin };
  saveFile(
    format === 'svg' ? svg : await toPng(svg, size),
    `${fileName.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')}.${format}`,
  );
}

async function toPng(svg: Blob, { width, height }: { readonly width: number; readonly height: number }): Promise<Blob> {
  const scale = Math.min(pngScale, mostPixels / width, mostPixels / height);
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (png) => (png === null ? reject(new Error('The picture is too large.')) : resolve(png)),
        'image/png',
      ),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

function createFit(): (text: string) => string {
  const context = document.createElement('canvas').getContext('2d');
  if (context !== null) context.font = nameFont;
  const widthOf = (text: string): number => context?.measureText(text).width ?? 0;
  return (text) => {
    if (widthOf(text) <= textRoom) return text;
    let end = text.length;
    while (end > 1 && widthOf(`${text.slice(0, end)}…`) > textRoom) end -= 1;
    return `${text.slice(0, end)}…`;
  };
}
