import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Condition, Variables } from './runner-types';

interface InputRule {
  readonly default?: string;
  readonly deprecationMessage?: string;
}

export interface ActionManifest {
  readonly folder: string;
  readonly main: string;
  readonly post: string | undefined;
  readonly postIf: Condition;
  readonly inputs: ReadonlyMap<string, InputRule>;
}

export interface ResolvedInputs {
  /** `INPUT_*` variables. */
  readonly env: Variables;
  readonly warnings: readonly string[];
}

const conditions: readonly Condition[] = ['always()', 'success()', 'failure()'];

/** Reads the `action.yml` of a JavaScript action. Throws for anything that this runner does not support. */
export function readActionManifest(folder: string): ActionManifest {
  const file = ['action.yml', 'action.yaml']
    .map((name) => path.join(folder, name))
    .find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`There is no action.yml in ${folder}.`);
  const document = record(parse(readFileSync(file, 'utf8')), file);
  const runs = record(document.runs, `runs of ${file}`);
  if (!/^node\d+$/.test(text(runs.using, `runs.using of ${file}`))) {
    throw new Error(`${file} is not a JavaScript action, and other actions are not supported.`);
  }
  const postIf = runs['post-if'] === undefined ? 'always()' : text(runs['post-if'], `post-if of ${file}`);
  const condition = conditions.find((known) => known === postIf);
  if (condition === undefined) throw new Error(`The condition "${postIf}" of ${file} is not supported.`);
  return {
    folder,
    main: script(folder, runs.main, 'main'),
    post: runs.post === undefined ? undefined : script(folder, runs.post, 'post'),
    postIf: condition,
    inputs: new Map(Object.entries(record(document.inputs ?? {}, `inputs of ${file}`)).map(inputRule)),
  };
}

/** Adds defaults to the given inputs. A given empty text overrides a default. Names are case-insensitive. */
export function resolveInputs(manifest: ActionManifest, given: Variables): ResolvedInputs {
  const known = new Map([...manifest.inputs].map(([name, rule]) => [name.toLowerCase(), rule]));
  const warnings: string[] = [];
  const unknown = Object.keys(given).filter((name) => !known.has(name.toLowerCase()));
  if (unknown.length > 0) {
    warnings.push(`Unexpected input(s) ${quoted(unknown)}, valid inputs are [${quoted([...manifest.inputs.keys()])}]`);
  }
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) values.set(name.toLowerCase(), value);
  for (const [name, rule] of known) {
    if (values.has(name) && rule.deprecationMessage !== undefined) {
      warnings.push(`Input '${name}' has been deprecated with message: ${rule.deprecationMessage}`);
    }
    // The runner sets an input without a default to an empty text.
    if (!values.has(name)) values.set(name, rule.default ?? '');
  }
  const env = Object.fromEntries([...values].map(([name, value]) => [inputVariable(name), value]));
  return { env, warnings };
}

function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

function inputRule([name, value]: [string, unknown]): [string, InputRule] {
  const rule = record(value ?? {}, `input ${name}`);
  const { deprecationMessage } = rule;
  const fallback = scalar(rule.default, name);
  return [
    name,
    {
      ...(fallback !== undefined && { default: fallback }),
      ...(typeof deprecationMessage === 'string' && { deprecationMessage }),
    },
  ];
}

/** Actions receive every value as text, including `true` and `1` of YAML. */
function scalar(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') {
    throw new Error(`The default of input ${name} is not a scalar.`);
  }
  if (String(value).includes('${{')) {
    throw new Error(`The default of input ${name} is an expression, which is not supported.`);
  }
  return String(value);
}

function script(folder: string, value: unknown, what: string): string {
  const file = path.resolve(folder, text(value, `runs.${what} of ${folder}`));
  if (!existsSync(file)) throw new Error(`The ${what} script of the action does not exist: ${file}. Was it built?`);
  return file;
}

function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new Error(`${what} is not a string.`);
  return value;
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is not a map.`);
  return value as Readonly<Record<string, unknown>>; // The type was checked above.
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
