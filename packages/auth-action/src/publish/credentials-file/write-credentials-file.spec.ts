import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeCredentialsFile } from './write-credentials-file';

const failure = (reason: string): Error => expect.objectContaining({ reason }) as Error;
const random = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0xab);
const name = 'gha-creds-abababababababab.json';

describe('writeCredentialsFile', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const write = (changes: Partial<Parameters<typeof writeCredentialsFile>[0]> = {}) =>
    writeCredentialsFile({ folder: folder.path, format: () => '{"a":"é"}', mode: 0o600, random, ...changes });

  it('creates the file with a random name and returns its identity for post', () => {
    const written = write();
    const stats = statSync(folder.file(name), { bigint: true });
    expect(written).toEqual({
      path: folder.file(name),
      folderWasEmpty: true,
      identity: {
        folder: folder.path,
        name,
        device: String(stats.dev),
        inode: String(stats.ino),
        size: 10,
        sha256: createHash('sha256').update('{"a":"é"}').digest('hex'),
      },
    });
    expect(readFileSync(written.path, 'utf8')).toBe('{"a":"é"}');
  });

  it.each([0o600, 0o640, 0o666])('gives it exactly the permissions %o, with any umask', (mode) => {
    const umask = process.umask(0o077);
    try {
      expect(statSync(write({ mode }).path).mode & 0o7777).toBe(mode);
    } finally {
      process.umask(umask);
    }
  });

  it('reports whether the workspace is empty', () => {
    writeFileSync(folder.file('package.json'), '{}');
    expect(write().folderWasEmpty).toBe(false);
  });

  it('returns the given path for later steps and the resolved path for post', () => {
    mkdirSync(folder.file('real'));
    symlinkSync('real', folder.file('link'));
    const written = write({ folder: folder.file('link') });
    expect(written.path).toBe(folder.file('link', name));
    expect(written.identity.folder).toBe(folder.file('real'));
  });

  it('does not change an existing file', () => {
    writeFileSync(folder.file(name), 'mine');
    expect(() => write()).toThrow(failure('credentials_file_failed'));
    expect(readFileSync(folder.file(name), 'utf8')).toBe('mine');
  });

  it('leaves no file behind when it cannot be finished', () => {
    expect(() => write({ mode: -1 })).toThrow(failure('credentials_file_failed'));
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each([undefined, ''])('fails when the workspace is %p', (workspace) => {
    expect(() => write({ folder: workspace })).toThrow(failure('workspace_unset'));
  });

  it('fails when the workspace is missing', () => {
    expect(() => write({ folder: folder.file('none') })).toThrow(failure('workspace_missing'));
  });

  it('fails when the workspace cannot be written to', () => {
    // Even root cannot create files here.
    expect(() => write({ folder: '/sys/kernel' })).toThrow(failure('workspace_unwritable'));
  });
});
