/** Returns the path of a file as a URI. A relative path stays relative, so that a log means the same on every machine. */
export function artifactUri(file: string): string {
  const path = file.replace(/^(\.\/+)+/, '');
  const uri = path.split('/').map(encodeSegment).join('/');
  return path.startsWith('/') ? `file://${uri}` : uri;
}

// A lone surrogate has no UTF-8 form, and encodeURIComponent throws for it.
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\u{FFFD}'));
}
