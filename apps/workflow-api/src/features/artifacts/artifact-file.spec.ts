import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { downloadArtifact, previewArtifact } from './artifact-file';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = temporaryFolder();
  await mkdir(folder.file('run', 'a'), { recursive: true });
});
afterEach(() => folder.remove());

const root = () => folder.file('run');

async function readBytes(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}

describe('downloadArtifact', () => {
  it.each([0, 1, 200_000])('gives all of %d bytes', async (size) => {
    await writeFile(folder.file('run', 'a', 'data'), Buffer.alloc(size, 7));
    const { name, content, ...file } = await downloadArtifact(root(), 'a/data');

    expect({ name, size: file.size }).toEqual({ name: 'data', size });
    expect(await readBytes(content)).toEqual(Buffer.alloc(size, 7));
  });

  it('gives what there was when it began of a file that grows', async () => {
    await writeFile(folder.file('run', 'log'), 'one');
    const { content } = await downloadArtifact(root(), 'log');
    await writeFile(folder.file('run', 'log'), 'one two');

    expect((await readBytes(content)).toString()).toBe('one');
  });

  it('may be left early', async () => {
    await writeFile(folder.file('run', 'log'), Buffer.alloc(500_000));
    const { content } = await downloadArtifact(root(), 'log');
    let parts = 0;
    for await (const part of content) {
      parts += part.length > 0 ? 1 : 0;
      break;
    }

    expect(parts).toBe(1);
  });

  it.each(['none', 'a', '', '../run/file', 'link', 'out/file', 'file/x'])('finds no file at "%s"', async (path) => {
    await writeFile(folder.file('run', 'file'), '');
    await symlink('file', folder.file('run', 'link'));
    await symlink(folder.file('run'), folder.file('run', 'out'));

    await expect(downloadArtifact(root(), path)).rejects.toMatchObject({ reason: 'artifact_not_found' });
  });
});

describe('previewArtifact', () => {
  it('shows no text of an image, however small', async () => {
    await writeFile(folder.file('run', 'a.svg'), '<svg/>');

    expect(await previewArtifact(root(), 'a.svg')).toEqual({
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
