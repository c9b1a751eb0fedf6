import { terminal, type GrammarRules } from './grammar-rules';

/**
 * A rule for any text that contains none of the patterns. Grammars have no negation, so there is one rule for each
 * state of the automaton that searches for the patterns, without the transitions that complete a pattern.
 */
export function textWithout(patterns: readonly string[], rules: Pick<GrammarRules, 'reserve' | 'define'>): string {
  const states = buildStates(patterns);
  const names = new Map(states.map((state) => [state, rules.reserve()]));
  const letters = [...new Set(patterns.join(''))];
  for (const state of states) {
    const targets = new Map<string, string[]>();
    for (const letter of letters) {
      const next = longestState(states, state + letter);
      if (next === '' || patterns.some((pattern) => (state + letter).endsWith(pattern))) continue;
      targets.set(next, [...(targets.get(next) ?? []), letter]);
    }
    const named = [...targets.values()].flat();
    const completing = letters.filter((letter) => patterns.some((pattern) => (state + letter).endsWith(pattern)));
    const steps = [...targets].map(([next, given]) => `${alternation(given)} ${names.get(next) ?? ''}`);
    steps.push(`${negatedClass([...named, ...completing])} ${names.get('') ?? ''}`);
    rules.define(names.get(state) ?? '', `(${steps.join(' | ')})?`);
  }
  return names.get('') ?? '';
}

/** The states are the proper prefixes of the patterns. */
function buildStates(patterns: readonly string[]): readonly string[] {
  const states = new Set<string>(['']);
  for (const pattern of patterns) {
    for (let length = 1; length < pattern.length; length++) states.add(pattern.slice(0, length));
  }
  return [...states].sort((left, right) => right.length - left.length);
}

/** @param states longest first. */
function longestState(states: readonly string[], text: string): string {
  return states.find((state) => text.endsWith(state)) ?? '';
}

function alternation(letters: readonly string[]): string {
  const terminals = letters.map(terminal);
  return terminals.length === 1 ? terminals.join('') : `(${terminals.join(' | ')})`;
}

/** Any character but these. */
export function negatedClass(letters: readonly string[]): string {
  return `[^${letters.map((letter) => letter.replace(/[\]\\^-]/, String.raw`\$&`)).join('')}]`;
}
