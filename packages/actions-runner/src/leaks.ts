import type { RunnerResult, StepResult } from './runner-types';

export interface Leak {
  /** Name of the secret, or its place in the list. Never its text. */
  readonly secret: string;
  /** `log of step 0`, `GITHUB_ENV of the post of step 1`, `left over: <path>`. */
  readonly where: string;
  readonly form: string;
}

export interface LeakOptions {
  /** Names of outputs that are meant to hold a secret. */
  readonly outputs?: readonly string[];
}

interface Place {
  readonly where: string;
  readonly bytes: Buffer;
}

const shortestSecret = 8;
const shortestLine = 16;

/**
 * Finds secrets in everything that a run leaves: masked logs, annotations, command files, summaries, leftover files.
 * In plain, line by line, in base64 wherever it may start, escaped for an address and for JSON. Values that were
 * registered as masks in the raw stream do not count, which is the only place where they may stand.
 */
export function leaks(
  result: RunnerResult,
  secrets: readonly string[] | Readonly<Record<string, string>>,
  options: LeakOptions = {},
): readonly Leak[] {
  const wanted = Object.entries(secrets).flatMap(([secret, value]) =>
    formsOf(secret, value).map(([form, text]) => ({ secret, form, text })),
  );
  return placesOf(result, options.outputs ?? []).flatMap(({ where, bytes }) =>
    wanted.filter(({ text }) => bytes.includes(text)).map(({ secret, form }) => ({ secret, where, form })),
  );
}

/** By what they are called. The same text may come up twice. */
function formsOf(secret: string, value: string): [form: string, text: string][] {
  if (Buffer.byteLength(value) < shortestSecret) {
    throw new Error(`The secret ${secret} is too short to be told from other text.`);
  }
  const lines = value.split(/[\r\n]+/).filter((line) => line !== value && line.length >= shortestLine);
  return [
    ...formsOfText(value),
    ...lines.flatMap((line, index) =>
      formsOfText(line).map(([form, text]): [string, string] => [`line ${index + 1}, ${form}`, text]),
    ),
  ];
}

function formsOfText(value: string): [string, string][] {
  const uri = encodeURIComponent(value);
  const json = JSON.stringify(value).slice(1, -1);
  return [
    ['plain', value],
    ...[0, 1, 2].flatMap((offset): [string, string][] => {
      const text = base64At(value, offset);
      const url = text.replaceAll('+', '-').replaceAll('/', '_');
      const form = `base64 at offset ${offset}`;
      return url === text ? [[form, text]] : [[form, text], [`${form}, URL alphabet`, url]]; // prettier-ignore
    }),
    ...(uri === value ? [] : [['URI-escaped', uri] satisfies [string, string]]),
    ...(json === value ? [] : [['JSON-escaped', json] satisfies [string, string]]),
  ];
}

/** What is the same in the base64 of every longer text that holds the value behind 3n + offset bytes. */
function base64At(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

function placesOf(result: RunnerResult, allowedOutputs: readonly string[]): readonly Place[] {
  const ofSteps = [...result.steps, ...result.posts].flatMap((step) => placesOfStep(step, allowedOutputs));
  const leftovers = result.leftovers.map(({ path, bytes }) => ({ where: `left over: ${path}`, bytes }));
  const names = result.leftovers.map(({ path }) => path).join('\n');
  return [...ofSteps, ...leftovers, { where: 'names of leftover files', bytes: Buffer.from(names) }];
}

function placesOfStep(step: StepResult, allowedOutputs: readonly string[]): readonly Place[] {
  const name = step.phase === 'main' ? `step ${step.index}` : `the post of step ${step.index}`;
  const { env, state, path, summary, output } = step.files;
  return [
    { where: `log of ${name}`, bytes: Buffer.from(step.log) },
    { where: `annotations of ${name}`, bytes: Buffer.from(JSON.stringify(step.annotations)) },
    { where: `GITHUB_OUTPUT of ${name}`, bytes: withoutOutputs(output, step, allowedOutputs) },
    { where: `GITHUB_ENV of ${name}`, bytes: env },
    { where: `GITHUB_STATE of ${name}`, bytes: state },
    { where: `GITHUB_PATH of ${name}`, bytes: path },
    { where: `GITHUB_STEP_SUMMARY of ${name}`, bytes: summary },
  ];
}

/** The file itself and not the outputs read from it: what the grammar skips was written too. */
function withoutOutputs(file: Buffer, step: StepResult, allowed: readonly string[]): Buffer {
  let text = file.toString('utf8');
  for (const output of allowed) {
    const value = step.outputs[output] ?? '';
    if (value !== '') text = text.replace(value, '');
  }
  return Buffer.from(text);
}
