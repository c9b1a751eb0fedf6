import type { RunnerResult, StepResult } from './runner-types';

export interface Leak {
  /** The name of the secret, or its index. Never its text. */
  readonly secret: string;
  /** The source of the leak: `log of step 0`, `GITHUB_ENV of the post of step 1`, `left over: <path>`. */
  readonly where: string;
  readonly form: string;
}

export interface LeakOptions {
  /** Outputs that are intended to contain a secret. */
  readonly outputs?: readonly string[];
}

interface Location {
  readonly where: string;
  readonly bytes: Buffer;
}

const minSecretLength = 8;
const minLineLength = 16;

/**
 * Finds secrets in everything that a run produces: masked logs, annotations, command files, summaries, leftover files.
 * Searches for the plain text, its lines, base64 at any offset, and the text escaped for URLs and JSON. Ignores the raw
 * stream, where `add-mask` commands must contain them.
 */
export function findLeaks(
  result: RunnerResult,
  secrets: readonly string[] | Readonly<Record<string, string>>,
  options: LeakOptions = {},
): readonly Leak[] {
  const wanted = Object.entries(secrets).flatMap(([secret, value]) =>
    listForms(secret, value).map(([form, text]) => ({ secret, form, text })),
  );
  return listLocations(result, options.outputs ?? []).flatMap(({ where, bytes }) =>
    wanted.filter(({ text }) => bytes.includes(text)).map(({ secret, form }) => ({ secret, where, form })),
  );
}

/** The encodings of the secret and its lines, by name. */
function listForms(secret: string, value: string): [form: string, text: string][] {
  if (Buffer.byteLength(value) < minSecretLength) {
    throw new Error(`The secret ${secret} is too short to search for.`);
  }
  const lines = value.split(/[\r\n]+/).filter((line) => line !== value && line.length >= minLineLength);
  return [
    ...listEncodings(value),
    ...lines.flatMap((line, index) =>
      listEncodings(line).map(([form, text]): [string, string] => [`line ${index + 1}, ${form}`, text]),
    ),
  ];
}

function listEncodings(value: string): [string, string][] {
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

/** The part that base64 of any text with the value at byte 3n + offset has in common. */
function base64At(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

function listLocations(result: RunnerResult, allowedOutputs: readonly string[]): readonly Location[] {
  const ofSteps = [...result.steps, ...result.posts].flatMap((step) => listStepLocations(step, allowedOutputs));
  const leftovers = result.leftovers.map(({ path, bytes }) => ({ where: `left over: ${path}`, bytes }));
  const names = result.leftovers.map(({ path }) => path).join('\n');
  return [...ofSteps, ...leftovers, { where: 'names of leftover files', bytes: Buffer.from(names) }];
}

function listStepLocations(step: StepResult, allowedOutputs: readonly string[]): readonly Location[] {
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

/** The raw file, because a secret may be in a part that the parser ignores. */
function withoutOutputs(file: Buffer, step: StepResult, allowed: readonly string[]): Buffer {
  let text = file.toString('utf8');
  for (const output of allowed) {
    const value = step.outputs[output] ?? '';
    if (value !== '') text = text.replace(value, '');
  }
  return Buffer.from(text);
}
