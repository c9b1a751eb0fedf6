import { lenientMatching, matchingPresets, type Matching } from '@weir/rollout-core';
import { z } from 'zod';

// Parsers of environment variables.

export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));
}

export const commaList = z.string().transform((text) => text.split(',').flatMap((entry) => entry.trim() || []));
export const presetNames = [...lenientMatching];

/** Preset names; `exact` for none. */
export const matchingPresetsValue = commaList.transform((names, context): Matching => {
  const on = presetNames.filter((preset) => names.includes(preset));
  const isKnown = (preset: string) => preset === 'exact' || matchingPresets.some((known) => known.name === preset);
  if (!names.every(isKnown) || (names.includes('exact') && names.length > 1)) {
    context.addIssue({ code: 'custom', message: `must be exact, or some of ${presetNames.join(', ')}` });
  }
  return new Set(on);
});

/** The name of a parser or an alias. */
export function parserName<Name extends string>(find: (text: string) => Name) {
  return z.string().transform((text, context): Name => {
    try {
      return find(text);
    } catch {
      // The message of the caught error repeats the value.
      context.addIssue({ code: 'custom', message: 'must be the name of a parser' });
      return z.NEVER;
    }
  });
}

export function onOrOff(byDefault: 'on' | 'off') {
  return z
    .enum(['on', 'off'], 'must be on or off')
    .default(byDefault)
    .transform((text) => text === 'on');
}

export const filePath = z.string().min(1).max(4096);
export const seconds = wholeNumber(1, 365 * 86_400);

/** Formats names for the description of a variable. */
export const codeList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
