import { devNull } from 'node:os';
import path from 'node:path';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import type { Variable } from '../../report/variables';
import { readUserFile } from '../../runner/read-bounded-file';

/** A file with the token, and how a client finds it. */
export interface ClientConfig {
  /** For the log. */
  readonly client: string;
  readonly fileName: string;
  /** Secret. */
  readonly text: string;
  /** The output with the path of the file. */
  readonly output: string;
  readonly variables: (file: string) => readonly Variable[];
}

type Environment = ActionsRuntime['env'];

/** The text of the file that a variable names, else of the first one in the home folder. Empty without one. */
export function readClientFile(env: Environment, variable: string, names: readonly string[]): string {
  const home = findHome(env);
  const given = env[variable];
  if (given === devNull) return '';
  if (isSet(given)) return readUserFile(given.replace(/^~(?=[/\\])/, () => home ?? '~'));
  if (home === undefined) return '';
  return names.map((name) => readUserFile(path.join(home, name))).find(isSet) ?? '';
}

/** `USERPROFILE` is the home folder on Windows. */
export function findHome({ HOME: home, USERPROFILE: profile }: Environment): string | undefined {
  return [home, profile].find(isSet);
}

export function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
