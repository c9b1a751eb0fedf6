import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { sweepStaleFiles } from './sweep-stale-files';

const stale = 'gha-creds-0123456789abcdef.json';
const content = '{"type":"external_account"}';

describe('sweepStaleFiles', () => {
  let folder: TemporaryFolder;
  let env: Readonly<Record<string, string>>;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(folder.file('workspace', 'sub'), { recursive: true });
    write('event.json', '{}', 1000);
    env = { GITHUB_WORKSPACE: folder.file('workspace'), GITHUB_EVENT_PATH: folder.file('event.json') };
  });
  afterEach(() => folder.remove());

  const write = (name: string, text: string, seconds: number): void => {
    writeFileSync(folder.file(name), text);
    utimesSync(folder.file(name), seconds, seconds);
  };
  const sweep = (where = 'workspace') => sweepStaleFiles(folder.file(where), env);

  it('removes files from before the job, and returns their names', () => {
    write(`workspace/${stale}`, content, 999);
    write('workspace/gha-creds-aaaaaaaaaaaaaaaa.json', '{"type":"service_account"}', 1);
    write(`workspace/sub/${stale}`, content, 999);

    expect(sweep()).toEqual([stale, 'gha-creds-aaaaaaaaaaaaaaaa.json']);
    expect(readdirSync(folder.file('workspace'))).toEqual(['sub']);
    expect(sweep('workspace/sub')).toEqual([stale]);
  });

  it.each([
    ['of this job', stale, content, 1000],
    ['with another name', 'gha-creds-1.json', content, 1],
    ['that is no credentials file', stale, '{"type":"other"}', 1],
    ['that is no JSON', stale, 'x', 1],
  ])('leaves a file %s', (_, name, text, seconds) => {
    write(`workspace/${name}`, text, seconds);

    expect(sweep()).toEqual([]);
    expect(readdirSync(folder.file('workspace'))).toContain(name);
  });

  it('leaves a folder, a file that is too large, and files outside the workspace', () => {
    mkdirSync(folder.file('workspace', stale));
    write('workspace/gha-creds-aaaaaaaaaaaaaaaa.json', ' '.repeat(1_048_577), 1);
    write(stale, content, 1);

    expect([sweep(), sweep('.')]).toEqual([[], []]);
  });

  it('removes nothing without an event payload, which contains the start time of the job', () => {
    write(`workspace/${stale}`, content, 1);

    expect(sweepStaleFiles(folder.file('workspace'), { GITHUB_WORKSPACE: folder.file('workspace') })).toEqual([]);
    expect(sweepStaleFiles(folder.file('workspace'), { ...env, GITHUB_EVENT_PATH: folder.file('none') })).toEqual([]);
  });

  it('does not list files that cannot be removed', () => {
    write(`workspace/${stale}`, content, 1);
    const refuse = (): never => {
      throw new Error('EACCES');
    };

    expect(sweepStaleFiles(folder.file('workspace'), env, refuse)).toEqual([]);
  });
});
