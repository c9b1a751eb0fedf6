import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import type { FileAnswer } from '@weir/http-contract';
import { localRunFiles, type RunFolder } from '../../run-files';
import { downloadArtifact, previewArtifact } from './artifact-file';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = temporaryFolder();
  await mkdir(folder.file('run', 'a'), { recursive: true });
  root = await localRunFiles.view(folder.file('run'));
});
afterEach(() => folder.remove());

let root: RunFolder;

async function readBytes({ read, size, close }: FileAnswer, start = 0, end = size - 1): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  if (end >= start) for await (const part of read({ start, end })) parts.push(part);
  await close?.();
  return Buffer.concat(parts);
}

describe('downloadArtifact', () => {
  it.each([0, 1, 200_000])('returns all of %d bytes', async (size) => {
    await writeFile(folder.file('run', 'a', 'data'), Buffer.alloc(size, 7));
    const file = await downloadArtifact(root, 'a/data');

    expect({ name: file.name, size: file.size }).toEqual({ name: 'data', size });
    expect(await readBytes(file)).toEqual(Buffer.alloc(size, 7));
  });

  it('returns the bytes of a growing file that existed at the start', async () => {
    await writeFile(folder.file('run', 'log'), 'one');
    const file = await downloadArtifact(root, 'log');
    await writeFile(folder.file('run', 'log'), 'one two');

    expect((await readBytes(file)).toString()).toBe('one');
  });

  it('returns a range of it', async () => {
    await writeFile(folder.file('run', 'log'), 'one two');

    expect((await readBytes(await downloadArtifact(root, 'log'), 4, 5)).toString()).toBe('tw');
  });

  it('may be closed early', async () => {
    await writeFile(folder.file('run', 'log'), Buffer.alloc(500_000));
    const { read, size, close } = await downloadArtifact(root, 'log');
    let parts = 0;
    for await (const part of read({ start: 0, end: size - 1 })) {
      parts += part.length > 0 ? 1 : 0;
      break;
    }
    await close?.();

    expect(parts).toBe(1);
  });

  it.each(['none', 'a', '', '../run/file', 'link', 'out/file', 'file/x'])('finds no file at "%s"', async (path) => {
    await writeFile(folder.file('run', 'file'), '');
    await symlink('file', folder.file('run', 'link'));
    await symlink(folder.file('run'), folder.file('run', 'out'));

    await expect(downloadArtifact(root, path)).rejects.toMatchObject({ reason: 'artifact_not_found' });
  });
});

describe('previewArtifact', () => {
  it('shows no text of an image of any size', async () => {
    await writeFile(folder.file('run', 'a.svg'), '<svg/>');

    expect(await previewArtifact(root, 'a.svg')).toEqual({
      name: 'a.svg',
      path: 'a.svg',
      kind: 'image',
      mimeType: 'image/svg+xml',
      size: 6,
      tooLarge: false,
      truncated: false,
    });
  });
});
