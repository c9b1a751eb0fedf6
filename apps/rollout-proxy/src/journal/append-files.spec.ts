import { readFileSync, renameSync, rmSync } from 'node:fs';
import { temporaryFolder } from '@weir/test-kit';
import { createAppendFiles } from './append-files';

describe('files open for append', () => {
  const folder = temporaryFolder();
  const text = (name: string): string => readFileSync(folder.file(name), 'utf8');
  afterAll(() => folder.remove());

  it('contain appended text at once, for any number of files', () => {
    const files = createAppendFiles(2);
    for (let round = 0; round < 3; round += 1)
      for (const name of ['a', 'b', 'c']) files.append(folder.file(name), Buffer.from(`${name}${round}`));

    expect(['a', 'b', 'c'].map(text)).toEqual(['a0a1a2', 'b0b1b2', 'c0c1c2']);
  });

  it('continue in the file that replaced theirs', () => {
    const files = createAppendFiles(2);
    files.append(folder.file('old'), Buffer.from('1'));
    files.append(folder.file('draft'), Buffer.from('2'));
    files.close(folder.file('old'));
    renameSync(folder.file('draft'), folder.file('old'));
    files.append(folder.file('old'), Buffer.from('3'));

    expect(text('old')).toBe('23');
  });

  it('write nothing into a file that was removed', () => {
    const files = createAppendFiles(2);
    files.append(folder.file('gone'), Buffer.from('1'));
    rmSync(folder.file('gone'));
    files.append(folder.file('gone'), Buffer.from('2'));

    expect(text('gone')).toBe('2');
  });

  it('report a file that cannot be opened', () => {
    expect(() => createAppendFiles(2).append(folder.file('none', 'there'), Buffer.from('1'))).toThrow('ENOENT');
  });
});
