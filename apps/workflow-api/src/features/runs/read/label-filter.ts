/** Whether a list of labels passes the filter. */
export type LabelFilter = (labels: readonly string[]) => boolean;

/**
 * Parses a filter such as `team=data, !draft, env=prod-*`: every item must match. `key` matches any value of the key,
 * `key=value` that value, and a leading `!` negates; `*` stands for any text and `?` for one character. Returns
 * `undefined` for a string without items.
 */
export function parseLabelFilter(text: string | undefined): LabelFilter | undefined {
  const items = (text ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '' && item !== '!')
    .map(parseItem);
  if (items.length === 0) return undefined;
  return (labels) => items.every((holds) => holds(labels));
}

function parseItem(item: string): LabelFilter {
  const isNegated = item.startsWith('!');
  const [key = '', ...rest] = (isNegated ? item.slice(1) : item).split('=');
  const matchesKey = wildcardMatcher(key.trim());
  const matchesValue = rest.length === 0 ? undefined : wildcardMatcher(rest.join('=').trim());
  const has: LabelFilter = (labels) =>
    labels.some((label) => {
      const [labelKey = '', ...value] = label.split('=');
      return matchesKey(labelKey) && (matchesValue === undefined || matchesValue(value.join('=')));
    });
  return isNegated ? (labels) => !has(labels) : has;
}

/**
 * Regular expressions would take exponential time on hostile patterns. This matcher backtracks to the latest star only,
 * so it takes at most pattern times text steps.
 */
function wildcardMatcher(pattern: string): (text: string) => boolean {
  return (text) => {
    let at = 0;
    let patternAt = 0;
    let star = -1;
    let starAt = 0;
    while (at < text.length) {
      const expected = pattern[patternAt];
      if (expected === '*') {
        star = patternAt;
        starAt = at;
        patternAt += 1;
      } else if (expected === '?' || expected === text[at]) {
        at += 1;
        patternAt += 1;
      } else if (star >= 0) {
        starAt += 1;
        at = starAt;
        patternAt = star + 1;
      } else return false;
    }
    return /^\**$/.test(pattern.slice(patternAt));
  };
}
