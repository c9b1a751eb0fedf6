import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { listIgnoreWarnings } from './ignore-warnings';

const name = 'gha-creds-0123456789abcdef.json';

describe('ignoreWarnings', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const warningsWith = (files: Readonly<Record<string, string>>): readonly string[] => {
    for (const [file, text] of Object.entries(files)) writeFileSync(folder.file(file), text);
    return listIgnoreWarnings(folder.path, name);
  };

  it('reports nothing without images or uploads', () => {
    expect(warningsWith({ 'package.json': '{}' })).toEqual([]);
  });

  it.each([
    'gha-creds-*.json',
    '**/gha-creds-*.json',
    '/gha-creds-*.json',
    './gha-creds-*.json',
    'a/../gha-creds-*.json',
    'gha-creds-*.json/',
    '  gha-creds-*.json  ',
    '*\n!src',
    '\uFEFF*.json',
    '*\r\n!*.md\r\n',
  ])('accepts a .dockerignore with %j', (text) => {
    expect(warningsWith({ Dockerfile: '', '.dockerignore': text })).toEqual([]);
  });

  it.each([
    '',
    '#gha-creds-*.json',
    'node_modules',
    '*\n!*.json',
    '*\n! *.json',
    'src/gha-creds-*.json',
    'src/**',
    '.',
    '!',
    '/',
  ])('warns about a .dockerignore with %j', (text) => {
    expect(warningsWith({ '.dockerignore': text })).toEqual([
      expect.stringContaining('.dockerignore does not exclude it'),
    ]);
  });

  it('also reads the ignore file of a single Dockerfile', () => {
    expect(warningsWith({ Dockerfile: '', '.dockerignore': '*', 'Dockerfile.dockerignore': '' })).toEqual([
      expect.stringContaining('Dockerfile.dockerignore does not exclude it'),
    ]);
  });

  it('warns of a Dockerfile without any ignore file', () => {
    expect(warningsWith({ Dockerfile: '' })).toEqual([expect.stringContaining('without a .dockerignore')]);
  });

  it.each(['gha-creds-*.json', '*.json   ', '*\n!/src/', '#!include:.gitignore'])(
    'reports nothing if .gcloudignore has %j',
    (text) => {
      expect(warningsWith({ '.gcloudignore': text, '.gitignore': '*.json' })).toEqual([]);
    },
  );

  it.each(['', 'gha-creds-*.json/', '*.json\\ ', '*\n!*.json', '#!include:../.gitignore', '#!include:none'])(
    'warns if .gcloudignore has %j',
    (text) => {
      expect(warningsWith({ '.gcloudignore': text })).toEqual([expect.stringContaining('uploads')]);
    },
  );

  const bytes = 131_072;

  it.each([
    ['at most 128 KiB', `*${'\n'.repeat(bytes - 1)}`, 0],
    ['more than 128 KiB', `*${'\n'.repeat(bytes)}`, 1],
    ['a line of 4,096 characters', `*\n${'#'.repeat(4096)}`, 0],
    ['a line of more than 4,096 characters', `*\n${'#'.repeat(4097)}`, 1],
    ['a line of 100,000 asterisks', '*'.repeat(100_000), 1],
  ])('treats an ignore file beyond its limits as empty: %s', (_case, text, count) => {
    expect(warningsWith({ '.dockerignore': text, '.gcloudignore': text })).toHaveLength(2 * count);
  });

  it.each([
    ['ten', 10, 0],
    ['more than ten', 11, 1],
  ])('reads %s included files', (_case, includes, count) => {
    const lines = Array.from({ length: includes }, () => '#!include:more');
    expect(warningsWith({ '.gcloudignore': lines.join('\n'), more: '*' })).toHaveLength(count);
  });

  it('treats an ignore file that is a folder or a named pipe as empty, and does not wait', () => {
    mkdirSync(folder.file('.dockerignore'));
    execFileSync('mkfifo', [folder.file('.gcloudignore')]);
    expect(warningsWith({})).toHaveLength(2);
  });
});
