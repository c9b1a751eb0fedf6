import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SourceRepository } from './source-repository';

export interface FakeRelease {
  readonly tag_name: string;
  readonly draft: boolean;
  readonly immutable?: boolean;
  readonly latest?: boolean;
  readonly notes?: string;
  /** Contents by name. */
  readonly assets: Readonly<Record<string, string>>;
}

interface State {
  readonly repository: string;
  /** Where the tags are. */
  readonly remote: string;
  /** Whether releases become immutable. */
  readonly immutable: boolean;
  readonly releases: readonly FakeRelease[];
  /** Group, verb and tag of each call. */
  readonly calls: readonly string[];
}

export interface FakeGithub {
  /** A program in the place of `gh`, in a folder of its own. */
  readonly program: string;
  readonly read: () => State;
  readonly change: (changes: Partial<State>) => void;
}

/** The releases of a repository on GitHub, in a file, with immutable releases. */
export function createFakeGithub({ file, remote }: SourceRepository, repository: string): FakeGithub {
  const stateFile = file('github.json');
  const read = (): State => JSON.parse(readFileSync(stateFile, 'utf8')) as State;
  const write = (state: State): void => writeFileSync(stateFile, JSON.stringify(state));
  write({ repository, remote, immutable: true, releases: [], calls: [] });
  const program = file('gh');
  const command = [process.execPath, path.join(__dirname, 'fake-gh.mjs'), stateFile].map((part) => `'${part}'`);
  writeFileSync(program, `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`);
  chmodSync(program, 0o755);
  return { program, read, change: (changes) => write({ ...read(), ...changes }) };
}
