import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { readBoundedFile } from './read-bounded-file';

describe('readBoundedFile', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it.each(['', 'four', 'é\n!'])('reads %j, which has at most 4 bytes', (text) => {
    writeFileSync(folder.file('a'), text);
    expect(readBoundedFile(folder.file('a'), 4)).toBe(text);
  });

  it.each([
    ['a file that is larger', (file: string) => writeFileSync(file, 'fives')],
    ['a named pipe', (file: string) => void execFileSync('mkfifo', [file])],
  ])('refuses %s, and does not wait', (_case, create) => {
    create(folder.file('a'));
    expect(() => readBoundedFile(folder.file('a'), 4)).toThrow('is not a regular file of at most 4 bytes');
  });
});
