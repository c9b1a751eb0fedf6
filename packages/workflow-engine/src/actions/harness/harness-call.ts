import { knownHarnesses, type Harness, type Harnesses } from '@weir/workflow-spec';
import { findHarness, type SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';

type Settings = SettingsFor<'harness.run'>;
type FlagValue = string | number | boolean | readonly FlagValue[];

/** One program that is to answer the prompt. */
export interface HarnessCall {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** For its standard input, which is empty when missing. */
  readonly input?: string;
}

const controlKeys = new Set(['prompt', 'stdin', 'provider', 'fallback', 'managed']);

/** Linux accepts no longer argument. */
const maxArgumentBytes = 131_071;

/** The calls that a step allows, in their order: the first one, and its fallbacks. Throws for an unknown harness. */
export function harnessCalls(settings: Settings, own: Harnesses | undefined): readonly HarnessCall[] {
  const { fallback = [] } = settings;
  return [settings, ...fallback].map((each) => {
    const name = each.provider;
    if (name === undefined) throw actionFailed('provider is required.');
    const harness = findHarness(name, own);
    if (harness === undefined) throw actionFailed('provider names no harness.');
    return {
      name,
      program: harness.binary,
      ...callHarness(harness, flagWords(name, harness, each), settings),
    };
  });
}

type Given = Pick<Settings, 'prompt' | 'stdin'>;

function callHarness(harness: Harness, flags: readonly string[], { prompt, stdin }: Given) {
  const { prefix_args: prefix = [], prompt_mode: mode = 'arg', prompt_flag: flag } = harness;
  if (mode === 'stdin') {
    const input = [prompt, stdin].filter((text) => text !== undefined && text !== '').join('\n\n');
    return { args: [...prefix, ...flags], input };
  }
  const words = [...(mode === 'flag' && flag !== undefined ? [flag] : []), promptWord(prompt)];
  const isAfter = harness.prompt_position === 'after_flags';
  const args = [...prefix, ...(isAfter ? [...flags, ...words] : [...words, ...flags])];
  return { args, ...(stdin === undefined ? {} : { input: stdin }) };
}

/** A prompt is never taken for a flag: a blank in front of it changes nothing else. */
function promptWord(prompt: string): string {
  const word = prompt.startsWith('-') ? ` ${prompt}` : prompt;
  if (Buffer.byteLength(word) <= maxArgumentBytes) return word;
  throw actionFailed(
    `prompt is longer than ${maxArgumentBytes} bytes, the limit of an argument. Use prompt_mode: stdin.`,
  );
}

/** All settings that do not say how the program is called, in the order of their names. */
function flagWords(name: string, harness: Harness, settings: object): readonly string[] {
  const known = Object.hasOwn(settings, 'provider') ? knownHarnesses.get(name) : undefined;
  const isKnown = known === harness;
  const toName = (key: string) => (isKnown ? key.replaceAll('_', '-') : key);
  const given = Object.entries(settings as Readonly<Record<string, FlagValue>>)
    .filter(([key]) => !controlKeys.has(key))
    .map(([key, value]) => [toName(key), key, value] as const);
  const names = new Set(given.map(([flag]) => flag));
  const preset = Object.entries((isKnown ? known.options : undefined) ?? {})
    .filter(([flag]) => !names.has(flag))
    .map(([flag, value]) => [flag, flag, value] as const);
  return [...given, ...preset]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([flag, key, value]) => words(harness.option_flags?.[key] ?? `${dashes(harness)}${flag}`, key, value));
}

function dashes({ flag_style: style = 'gnu_long' }: Harness): string {
  return style === 'gnu_long' ? '--' : '-';
}

function words(flag: string, key: string, value: FlagValue): readonly string[] {
  if (typeof value === 'boolean') return value ? [flag] : [];
  if (Array.isArray(value)) return value.flatMap((each: FlagValue) => words(flag, key, each));
  const text = String(value);
  if (!text.startsWith('-') || typeof value === 'number') return [flag, text];
  // As a word of its own it could be taken for another flag.
  if (flag.startsWith('--')) return [`${flag}=${text}`];
  throw actionFailed(`${key} must not begin with "-".`);
}
