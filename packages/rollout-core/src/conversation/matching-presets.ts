import { AppError } from '@weir/errors';

/** Where a preset acts: in the protocol folders, which make `Message`s, here, where messages are compared, or both. */
export type MatchingLevel = 'protocol' | 'message' | 'both';

interface MatchingPresetInfo {
  readonly level: MatchingLevel;
  /** One line for people who choose. */
  readonly description: string;
}

const presets = {
  'null-fields': {
    level: 'both',
    description: 'A field that is null, an empty list or an empty text is a field that is not there.',
  },
  'tool-call-ids': {
    level: 'message',
    description: 'A tool result belongs to a call by its position, whatever ids the client made up.',
  },
  'tool-arguments': {
    level: 'message',
    description: 'Arguments of calls are compared as JSON values: keys in any order, numbers by exact decimal value.',
  },
  reasoning: {
    level: 'message',
    description: 'An answer that comes back without its reasoning, or with another one, is the same answer.',
  },
  'cache-markers': {
    level: 'protocol',
    description: 'Marks for prompt caches, such as cache_control, are no part of a message.',
  },
  'volatile-headers': {
    level: 'message',
    description: 'Billing and date lines of system messages, and system-reminder blocks, may change between calls.',
  },
  whitespace: {
    level: 'message',
    description: 'Whitespace at the end of a text makes no difference.',
  },
} as const satisfies Record<string, MatchingPresetInfo>;

/** Names a difference between two messages that real clients make and that is not to count. */
export type MatchingPreset = keyof typeof presets;

export interface MatchingPresetDescription extends MatchingPresetInfo {
  readonly name: MatchingPreset;
}

/** Every preset, in a fixed order. All are on unless they are switched off; `exact` is none of them. */
export const matchingPresets: readonly MatchingPresetDescription[] = Object.entries(presets).map(([name, info]) => ({
  name: name as MatchingPreset,
  ...info,
}));

/** The presets that are on. */
export type Matching = ReadonlySet<MatchingPreset>;

/** All presets. */
export const lenientMatching: Matching = new Set(matchingPresets.map(({ name }) => name));

/** No preset: messages are the same only when every field is, to the byte. */
export const exactMatching: Matching = new Set();

/**
 * The presets that are left when some are switched off by name; `['exact']` switches off all. Fails with
 * `invalid_request`, reason `matching_unknown`, for another name.
 */
export function matchingWithout(names: readonly string[]): Matching {
  const remaining = new Set(lenientMatching);
  for (const name of names) {
    if (name === 'exact') return exactMatching;
    if (!Object.hasOwn(presets, name)) {
      throw new AppError('invalid_request', 'There is no matching preset of this name.', {
        reason: 'matching_unknown',
        details: { name: name.slice(0, 64), known: [...lenientMatching, 'exact'] },
      });
    }
    remaining.delete(name as MatchingPreset);
  }
  return remaining;
}
