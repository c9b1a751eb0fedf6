import { temporaryFolder } from '@weir/test-kit';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tinyTokenizer } from '../testing/tiny-tokenizer';
import { loadTokenizerFolder } from './tokenizer-folder';

const tiny = tinyTokenizer();
const config = { chat_template: 'of the config', bos_token: null, eos_token: { content: '<|im_end|>' } };

async function writeFolder(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(folder.path, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder.path;
}

describe('loadTokenizerFolder', () => {
  it('reads template and end tokens from the other files of the folder', async () => {
    const tokenizer = await loadTokenizerFolder(
      await writeFolder({
        'tokenizer.json': tiny.tokenizerJson,
        'tokenizer_config.json': {
          ...config,
          chat_template: [
            { name: 'rag', template: 'x' },
            { name: 'default', template: 'y' },
          ],
        },
        'generation_config.json': { eos_token_id: [300, 300] },
      }),
    );
    expect(tokenizer).toMatchObject({ chatTemplate: 'y', bosToken: '', eosToken: '<|im_end|>' });
    expect(tokenizer.endIds).toEqual([300, tokenizer.findId('<|im_end|>')]);
  });

  it('prefers the template in a separate file', async () => {
    const tokenizer = await loadTokenizerFolder(
      await writeFolder({
        'tokenizer.json': tiny.tokenizerJson,
        'tokenizer_config.json': config,
        'chat_template.jinja': 'of the file',
      }),
    );
    expect(tokenizer.chatTemplate).toBe('of the file');
  });

  it.each([
    ['no tokenizer.json', {}, 'tokenizer_missing'],
    [
      'no chat template',
      { 'tokenizer.json': tiny.tokenizerJson, 'tokenizer_config.json': { eos_token: '<|im_end|>' } },
      'chat_template_missing',
    ],
    [
      'no end token',
      { 'tokenizer.json': tiny.tokenizerJson, 'tokenizer_config.json': { chat_template: 'x' } },
      'end_token_missing',
    ],
    [
      'a config that is no JSON',
      { 'tokenizer.json': tiny.tokenizerJson, 'tokenizer_config.json': '{' },
      'tokenizer_invalid',
    ],
  ])('refuses a folder with %s', async (_, files, reason) => {
    await expect(loadTokenizerFolder(await writeFolder(files))).rejects.toMatchObject({
      code: 'invalid_request',
      reason,
    });
  });
});
