/**
 * The path of a file as a URI: relative for a relative path, so that a log means the same on every machine.
 * Every character that a URI gives a meaning to is encoded.
 */
export function artifactUri(file: string): string {
  const path = file.replace(/^(\.\/+)+/, '');
  const uri = path.split('/').map(encodeSegment).join('/');
  return path.startsWith('/') ? `file://${uri}` : uri;
}

// Half of a surrogate pair has no UTF-8 form, and encodeURIComponent throws for it.
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\u{FFFD}'));
}
