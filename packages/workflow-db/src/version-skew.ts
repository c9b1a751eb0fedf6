/** Versions of the program share a database if they have the same minor version or the next one. */
export function isAtMostOneMinorAhead(newer: string | undefined, own: string | undefined): boolean {
  const other = parseVersion(newer);
  const mine = parseVersion(own);
  if (other === undefined || mine === undefined) return false;
  return other.major === mine.major && other.minor - mine.minor <= 1;
}

function parseVersion(text: string | undefined) {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+/.exec(text ?? '') ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
