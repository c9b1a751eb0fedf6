type Unit = 'star' | ((character: string) => boolean);

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  lower: /[a-z]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/**
 * Whether a name matches a shell pattern of one path segment: `*`, `?`, `[a-z]`, `[!a]`, `[[:digit:]]` and a backslash
 * that escapes a character. A malformed pattern matches nothing. Takes at most pattern length times name length steps.
 */
export function matchesSegment(pattern: string, name: string): boolean {
  const units = parseUnits(pattern);
  if (units === undefined) return false;
  const characters = Array.from(name);
  let [unit, at] = [0, 0];
  // Only the last asterisk is tried again: a longer match of an earlier one does not change the rest.
  let lastStar: { readonly unit: number; readonly at: number } | undefined;
  while (at < characters.length) {
    const current = units[unit];
    if (current === 'star') {
      lastStar = { unit, at };
      unit += 1;
    } else if (current?.(String(characters[at])) === true) {
      unit += 1;
      at += 1;
    } else {
      if (lastStar === undefined) return false;
      lastStar = { unit: lastStar.unit, at: lastStar.at + 1 };
      unit = lastStar.unit + 1;
      at = lastStar.at;
    }
  }
  return units.slice(unit).every((rest) => rest === 'star');
}

function parseUnits(pattern: string): readonly Unit[] | undefined {
  const units: Unit[] = [];
  for (let at = 0; at < pattern.length;) {
    const parsed = parseUnit(pattern, at);
    if (parsed === undefined) return undefined;
    units.push(parsed.unit);
    at = parsed.end;
  }
  return units;
}

interface ParsedUnit {
  readonly unit: Unit;
  readonly end: number;
}

function parseUnit(pattern: string, at: number): ParsedUnit | undefined {
  const character = pattern.charAt(at);
  if (character === '*') return { unit: 'star', end: at + 1 };
  if (character === '?') return { unit: () => true, end: at + 1 };
  if (character === '[') return parseBracket(pattern, at + 1);
  if (character !== '\\') return { unit: (other) => other === character, end: at + 1 };
  const escaped = pattern.charAt(at + 1);
  return escaped === '' ? undefined : { unit: (other) => other === escaped, end: at + 2 };
}

function parseBracket(pattern: string, start: number): ParsedUnit | undefined {
  const negated = /[!^]/.test(pattern.charAt(start));
  const first = negated ? start + 1 : start;
  const tests: ((character: string) => boolean)[] = [];
  let at = first;
  // A closing bracket in the first position is literal.
  while (pattern.charAt(at) !== ']' || at === first) {
    const item = /^\[:([a-z]*):\]/.exec(pattern.slice(at));
    const parsed = item === null ? parseRange(pattern, at) : parseClass(item[1], at + item[0].length);
    if (parsed === undefined) return undefined;
    tests.push(parsed.unit);
    at = parsed.end;
  }
  return { unit: (character) => tests.some((test) => test(character)) !== negated, end: at + 1 };
}

interface ParsedTest {
  readonly unit: (character: string) => boolean;
  readonly end: number;
}

function parseClass(name: string | undefined, end: number): ParsedTest | undefined {
  const expression = classes[String(name)];
  return expression && { unit: (character) => expression.test(character), end };
}

function parseRange(pattern: string, at: number): ParsedTest | undefined {
  const low = literal(pattern, at);
  if (low === undefined) return undefined;
  const isRange = pattern.charAt(low.end) === '-' && !['', ']'].includes(pattern.charAt(low.end + 1));
  const high = isRange ? literal(pattern, low.end + 1) : low;
  if (high === undefined) return undefined;
  return { unit: (character) => low.text <= character && character <= high.text, end: high.end };
}

function literal(pattern: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const length = pattern.charAt(at) === '\\' ? 2 : 1;
  const text = pattern.charAt(at + length - 1);
  return text === '' ? undefined : { text, end: at + length };
}
