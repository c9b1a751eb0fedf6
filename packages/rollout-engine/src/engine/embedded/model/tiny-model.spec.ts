import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { readGgufFields } from './gguf-reader';
import { readVocabulary } from './gguf-vocabulary';
import { writeTinyModel } from './tiny-model';

let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => folder.remove());

describe('writeTinyModel', () => {
  it('writes model, tokenizer and its settings, and nothing else', async () => {
    const { modelFile, isNew } = await writeTinyModel(folder.file('deep', 'model'));

    expect(isNew).toBe(true);
    expect((await stat(modelFile)).size).toBeLessThan(1_000_000);
    expect((await readdir(folder.file('deep', 'model'))).toSorted()).toEqual([
      'generation_config.json',
      'model.gguf',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
  });

  it('writes the same bytes for a seed and different ones for another', async () => {
    const first = await writeTinyModel(folder.file('a'), { seed: 5 });
    const second = await writeTinyModel(folder.file('b'), { seed: 5 });
    const other = await writeTinyModel(folder.file('c'), { seed: 6 });

    expect(await readFile(second.modelFile)).toEqual(await readFile(first.modelFile));
    expect(second.digest).toBe(first.digest);
    expect(other.digest).not.toBe(first.digest);
  });

  it('does not touch valid files', async () => {
    const { modelFile } = await writeTinyModel(folder.path);
    const { mtimeMs } = await stat(modelFile);
    const second = await writeTinyModel(folder.path);

    expect(second.isNew).toBe(false);
    expect((await stat(modelFile)).mtimeMs).toBe(mtimeMs);
  });

  it('replaces a file that is damaged', async () => {
    const { modelFile, digest } = await writeTinyModel(folder.path);
    await writeFile(modelFile, 'half a mod');

    expect(await writeTinyModel(folder.path)).toMatchObject({ isNew: true, digest });
    expect((await stat(modelFile)).size).toBeGreaterThan(100_000);
  });

  it('can be called at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => writeTinyModel(folder.path)));

    expect(new Set(all.map(({ digest }) => digest)).size).toBe(1);
    expect(await readdir(folder.path)).toHaveLength(4);
  });
});

describe('readGgufFields', () => {
  it('reads what was written', async () => {
    const { modelFile } = await writeTinyModel(folder.path);
    const fields = await readGgufFields(modelFile);

    expect(fields.get('general.architecture')).toBe('llama');
    expect(fields.get('llama.context_length')).toBe(32_768);
    expect(fields.get('tokenizer.ggml.add_bos_token')).toBe(false);
    expect(readVocabulary(fields).size).toBe(fields.get('llama.vocab_size'));
  });

  it.each([
    ['text', Buffer.from('this is no model at all, only text')],
    ['nothing', Buffer.alloc(0)],
    ['a header that goes on', Buffer.concat([Buffer.from('GGUF'), Buffer.of(3, 0, 0, 0), Buffer.alloc(16, 255)])],
  ])('refuses %s', async (_name, bytes) => {
    const file = folder.file('bad.gguf');
    await writeFile(file, bytes);

    await expect(readGgufFields(file)).rejects.toMatchObject({ code: 'invalid_request', reason: 'gguf_invalid' });
  });

  it('refuses a missing file, and does not name it', async () => {
    const error: unknown = await readGgufFields(folder.file('secret.gguf')).catch((caught: unknown) => caught);

    expect(error).toMatchObject({ code: 'invalid_request', reason: 'model_file_unreadable' });
    expect((error as Error).message).not.toContain('secret');
  });

  it('refuses a truncated file', async () => {
    const { modelFile } = await writeTinyModel(folder.path);
    const bytes = await readFile(modelFile);
    for (const length of [30, 200, 1_000, 5_000]) {
      await writeFile(modelFile, bytes.subarray(0, length));
      await expect(readGgufFields(modelFile)).rejects.toMatchObject({ reason: 'gguf_invalid' });
    }
  });
});

describe('readVocabulary', () => {
  it.each([
    ['tokenizer_unsupported', [['tokenizer.ggml.model', 'llama']]],
    ['tokenizer_unsupported', []],
    [
      'chat_template_missing',
      [
        ['tokenizer.ggml.model', 'gpt2'],
        ['tokenizer.ggml.tokens', ['a']],
      ],
    ],
  ] as const)('refuses with reason %s', (reason, fields) => {
    const act = (): unknown => readVocabulary(new Map(fields as Iterable<[string, string]>));

    expect(act).toThrow(expect.objectContaining({ code: 'invalid_request', reason }) as Error);
  });
});
