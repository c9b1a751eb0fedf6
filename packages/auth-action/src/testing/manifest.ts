import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { ActionsRuntime } from '../runner/actions-runtime';

export interface ManifestField {
  readonly description: string;
  readonly default?: string;
}

export interface Manifest {
  readonly inputs: Readonly<Record<string, ManifestField>>;
  readonly outputs: Readonly<Record<string, ManifestField>>;
  readonly runs: Readonly<Record<string, string>>;
}

/** The folder with `action.yml`, `README.md` and `dist`. */
export const actionFolder = path.resolve(__dirname, '../..');

// The file is in this repository, and its specs check everything that is used of it.
export const manifest = parse(readFileSync(path.join(actionFolder, 'action.yml'), 'utf8')) as Manifest;

export const inputDefaults: ActionsRuntime['inputDefaults'] = Object.fromEntries(
  Object.entries(manifest.inputs).map(([name, field]) => [name, field.default ?? '']),
);

/** Texts of inputs by name, as in the `with` of a workflow. */
export type Inputs = Readonly<Record<string, string>>;

/** Sets the inputs of a runtime. Throws for an input that action.yml does not declare. */
export function giveInputs(inputs: Inputs): Pick<ActionsRuntime, 'input' | 'inputDefaults'> {
  const unknown = Object.keys(inputs).filter((name) => inputDefaults[name] === undefined);
  if (unknown.length > 0) throw new Error(`action.yml declares no input ${unknown.join(', ')}.`);
  return { input: (name) => inputs[name], inputDefaults };
}
