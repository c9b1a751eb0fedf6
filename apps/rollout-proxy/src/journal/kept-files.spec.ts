import { readFileSync, renameSync, rmSync } from 'node:fs';
import { temporaryFolder } from '@weir/test-kit';
import { createKeptFiles } from './kept-files';

describe('kept files', () => {
  const folder = temporaryFolder();
  const text = (name: string): string => readFileSync(folder.file(name), 'utf8');
  afterAll(() => folder.remove());

  it('hold what was appended at once, however many there are', () => {
    const kept = createKeptFiles(2);
    for (let round = 0; round < 3; round += 1)
      for (const name of ['a', 'b', 'c']) kept.append(folder.file(name), Buffer.from(`${name}${round}`));

    expect(['a', 'b', 'c'].map(text)).toEqual(['a0a1a2', 'b0b1b2', 'c0c1c2']);
  });

  it('go on in the file that was put in the place of theirs', () => {
    const kept = createKeptFiles(2);
    kept.append(folder.file('old'), Buffer.from('1'));
    kept.append(folder.file('draft'), Buffer.from('2'));
    kept.close(folder.file('old'));
    renameSync(folder.file('draft'), folder.file('old'));
    kept.append(folder.file('old'), Buffer.from('3'));

    expect(text('old')).toBe('23');
  });

  it('write nothing into a file that somebody took away', () => {
    const kept = createKeptFiles(2);
    kept.append(folder.file('gone'), Buffer.from('1'));
    rmSync(folder.file('gone'));
    kept.append(folder.file('gone'), Buffer.from('2'));

    expect(text('gone')).toBe('2');
  });

  it('tell when a file cannot be opened', () => {
    expect(() => createKeptFiles(2).append(folder.file('none', 'there'), Buffer.from('1'))).toThrow('ENOENT');
  });
});
