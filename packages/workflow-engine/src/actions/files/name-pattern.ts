/**
 * Whether a name fits a pattern in which `*` stands for any characters and `?` for one. Takes time in proportion to
 * both lengths, whatever the pattern.
 */
export function matchesName(name: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let retry = 0;
  while (at < name.length) {
    const mark = pattern.charAt(inPattern);
    if (mark === '*') {
      star = inPattern;
      retry = at;
      inPattern += 1;
    } else if (mark === '?' || (mark !== '' && mark === name.charAt(at))) {
      at += 1;
      inPattern += 1;
    } else if (star !== -1) {
      // The last star takes one character more.
      inPattern = star + 1;
      retry += 1;
      at = retry;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(inPattern));
}
