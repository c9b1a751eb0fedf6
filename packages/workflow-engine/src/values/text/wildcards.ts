/**
 * Whether a whole text matches a pattern in which `*` stands for any characters and `?` for one. Backtracks to the last
 * star only, so that the time is bounded by the product of both lengths, whatever the pattern.
 */
export function matchesWildcards(text: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    const mark = pattern.charAt(inPattern);
    if (mark === '*') {
      star = inPattern;
      retry = at;
      inPattern += 1;
    } else if (mark === '?' || (mark !== '' && mark === text.charAt(at))) {
      at += 1;
      inPattern += 1;
    } else if (star !== -1) {
      // Let the last star match one more character.
      inPattern = star + 1;
      retry += 1;
      at = retry;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(inPattern));
}
