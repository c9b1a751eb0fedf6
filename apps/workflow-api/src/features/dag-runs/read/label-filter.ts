/** Tells whether a list of labels has all that was asked for. */
export type LabelFilter = (labels: readonly string[]) => boolean;

/**
 * Reads a filter such as `team=data, !draft, env=prod-*`: every item must hold. `key` asks for the key with any value,
 * `key=value` for that value, `!` in front for the absence; `*` stands for any text and `?` for one character.
 * Returns nothing for a text without items.
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
 * Matches without regular expressions: those would take exponential time on hostile patterns. This one goes back to
 * the latest star only, so it takes at most pattern times text steps.
 */
function wildcardMatcher(pattern: string): (text: string) => boolean {
  return (text) => {
    let at = 0;
    let patternAt = 0;
    let star = -1;
    let starAt = 0;
    while (at < text.length) {
      const wanted = pattern[patternAt];
      if (wanted === '*') {
        star = patternAt;
        starAt = at;
        patternAt += 1;
      } else if (wanted === '?' || wanted === text[at]) {
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
