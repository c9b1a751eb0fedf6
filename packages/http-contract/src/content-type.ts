import type { Content } from './endpoint';

/** The media type of a declared content. */
export function contentType(content: Content): string {
  switch (content.kind) {
    case 'file':
      return content.type ?? 'application/octet-stream';
    case 'events':
      return 'text/event-stream';
    case 'text':
    case 'bytes':
      return content.type;
  }
}
