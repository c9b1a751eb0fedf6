import { AppError } from '@weir/foundation';

/**
 * The level at which a preset applies: in the protocol folders, which create `Message`s, here, where messages are
 * compared, or both.
 */
export type MatchingLevel = 'protocol' | 'message' | 'both';

interface MatchingPresetInfo {
  readonly level: MatchingLevel;
  /** A description of one line for the documentation. */
  readonly description: string;
}

const presets = {
  'null-fields': {
    level: 'both',
    description: 'A field that is null, an empty list or an empty text counts as missing.',
  },
  'tool-call-ids': {
    level: 'message',
    description: 'A tool result belongs to a call by its position, whatever ids the client uses.',
  },
  'tool-arguments': {
    level: 'message',
    description: 'Arguments of calls are compared as JSON values: keys in any order, numbers by exact decimal value.',
  },
  reasoning: {
    level: 'message',
    description: 'An answer that comes back without its reasoning, or with other reasoning, is the same answer.',
  },
  'cache-markers': {
    level: 'protocol',
    description: 'Markers for prompt caches, such as cache_control, are not part of a message.',
  },
  'volatile-headers': {
    level: 'message',
    description: 'Billing and date lines of system messages, and system-reminder blocks, may change between calls.',
  },
  whitespace: {
    level: 'message',
    description: 'Whitespace at the end of a string is ignored.',
  },
} as const satisfies Record<string, MatchingPresetInfo>;

/** Names a difference between two messages that real clients cause and that can be ignored. */
export type MatchingPreset = keyof typeof presets;

export interface MatchingPresetDescription extends MatchingPresetInfo {
  readonly name: MatchingPreset;
}

/** Every preset, in a fixed order. All are on by default; `exact` turns all off. */
export const matchingPresets: readonly MatchingPresetDescription[] = Object.entries(presets).map(([name, info]) => ({
  name: name as MatchingPreset,
  ...info,
}));

/** The enabled presets. */
export type Matching = ReadonlySet<MatchingPreset>;

export const lenientMatching: Matching = new Set(matchingPresets.map(({ name }) => name));

/** Uses no preset: messages are equal only if every byte of every field is. */
export const exactMatching: Matching = new Set();

/**
 * Returns the presets without the named ones; `['exact']` disables all. Throws `invalid_request`, reason
 * `matching_unknown`, for an unknown name.
 */
export function matchingWithout(names: readonly string[]): Matching {
  const remaining = new Set(lenientMatching);
  for (const name of names) {
    if (name === 'exact') return exactMatching;
    if (!Object.hasOwn(presets, name)) {
      throw new AppError('invalid_request', 'There is no matching preset with this name.', {
        reason: 'matching_unknown',
        details: { name: name.slice(0, 64), known: [...lenientMatching, 'exact'] },
      });
    }
    remaining.delete(name as MatchingPreset);
  }
  return remaining;
}
