import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describeUnless, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { fetchAction } from './fetch-action';
import { findNode } from './find-node';

const missing = ((): string | undefined => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'git is not installed';
  }
})();

describeUnless(missing, 'fetching actions')('fetchAction', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('weir-fetch-');
    const repository = folder.file('repository');
    const git = (...args: readonly string[]) => execFileSync('git', ['-C', repository, ...args], { stdio: 'ignore' });
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    execFileSync('git', ['init', '--quiet', repository]);
    for (const version of ['v1', 'v2']) {
      writeFileSync(folder.file('repository', 'action.yml'), version);
      git('add', '.');
      git(...identity, 'commit', '--quiet', '--message', version);
      git('tag', version);
    }
  });
  afterEach(() => folder.remove());

  const fetch = (ref: string) =>
    fetchAction({ url: `file://${folder.file('repository')}`, ref, folder: folder.file(ref) });

  it('writes the files at the reference, without a repository', () => {
    fetch('v1');

    expect(readFileSync(folder.file('v1', 'action.yml'), 'utf8')).toBe('v1');
    expect(existsSync(folder.file('v1', '.git'))).toBe(false);
  });

  it('throws for a reference that does not exist', () => {
    expect(() => fetch('v3')).toThrow('v3');
  });
});

describe('findNode', () => {
  it('finds the binary of this process by its major version', () => {
    expect(findNode(Number.parseInt(process.versions.node, 10))).toBe(process.execPath);
  });

  it('finds no version that does not exist', () => {
    expect(findNode(7)).toBeUndefined();
  });
});
