import { isUtf8 } from 'node:buffer';
import type { ArtifactPreviewResponse } from '@weir/workflow-contract/schemas';

export type ArtifactKind = Pick<ArtifactPreviewResponse, 'kind' | 'mimeType'>;

const images: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

const texts: Readonly<Record<string, ArtifactKind>> = {
  md: { kind: 'markdown', mimeType: 'text/markdown' },
  markdown: { kind: 'markdown', mimeType: 'text/markdown' },
  htm: { kind: 'html', mimeType: 'text/html' },
  html: { kind: 'html', mimeType: 'text/html' },
  csv: { kind: 'text', mimeType: 'text/csv' },
  json: { kind: 'text', mimeType: 'application/json' },
  xml: { kind: 'text', mimeType: 'application/xml' },
  yaml: { kind: 'text', mimeType: 'application/yaml' },
  yml: { kind: 'text', mimeType: 'application/yaml' },
};

const binary: ArtifactKind = { kind: 'binary', mimeType: 'application/octet-stream' };

/** Detects the kind by the extension of the name, and by whether the content, or its beginning, is text. */
export function detectArtifactKind(name: string, content: Buffer): ArtifactKind {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const image = Object.hasOwn(images, extension) ? images[extension] : undefined;
  if (image !== undefined) return { kind: 'image', mimeType: image };
  if (content.includes(0) || !isUtf8(trimPartialCharacter(content))) return binary;
  const text = Object.hasOwn(texts, extension) ? texts[extension] : undefined;
  return text ?? { kind: 'text', mimeType: 'text/plain' };
}

/** Removes the last character, which may have been cut at the end of the read part. */
function trimPartialCharacter(content: Buffer): Buffer {
  for (let length = 1; length <= Math.min(3, content.length); length += 1) {
    const byte = content[content.length - length] ?? 0;
    if (byte < 0x80) return content;
    if (byte >= 0xc0) return content.subarray(0, content.length - length);
  }
  return content;
}
