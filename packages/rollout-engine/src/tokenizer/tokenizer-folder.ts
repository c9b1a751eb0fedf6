import path from 'node:path';
import { readIfPresent } from '@weir/foundation';
import { z } from 'zod';
import {
  createHuggingFaceTokenizer,
  type HuggingFaceTokenizer,
  type HuggingFaceTokenizerOptions,
} from './hugging-face-tokenizer';
import { tokenizerRefused } from './tokenizer-file';

// A token is its text, or an object like those in `added_tokens`.
const namedToken = z.union([z.string(), z.object({ content: z.string() }).transform(({ content }) => content)]);

const configSchema = z.object({
  chat_template: z.union([z.string(), z.array(z.object({ name: z.string(), template: z.string() }))]).nullish(),
  bos_token: namedToken.nullish(),
  eos_token: namedToken.nullish(),
});

const generationSchema = z.object({ eos_token_id: z.union([z.int(), z.array(z.int())]).nullish() });

/**
 * Loads the tokenizer of a model's folder: `tokenizer.json` and `tokenizer_config.json`, and optionally
 * `chat_template.jinja` and `generation_config.json`. End tokens are those of `generation_config.json` and `eos_token`.
 *
 * Rejects with an `AppError` `invalid_request`: the reasons of `createHuggingFaceTokenizer`, and `tokenizer_missing`,
 * `chat_template_missing`, `end_token_missing`.
 */
export async function loadTokenizerFolder(
  folder: string,
  options: Pick<HuggingFaceTokenizerOptions, 'cacheBytes'> = {},
): Promise<HuggingFaceTokenizer> {
  const [tokenizerJson, configJson, templateFile, generationJson] = await Promise.all(
    ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja', 'generation_config.json'].map((name) =>
      readTextIfPresent(path.join(folder, name)),
    ),
  );
  if (tokenizerJson === undefined) {
    throw tokenizerRefused('The tokenizer folder has no tokenizer.json.', 'tokenizer_missing');
  }
  const config = parse(configSchema, configJson ?? '{}', 'tokenizer_config.json');
  const generation = parse(generationSchema, generationJson ?? '{}', 'generation_config.json');
  const chatTemplate = templateFile ?? selectTemplate(config);
  if (chatTemplate === undefined) {
    throw tokenizerRefused('The tokenizer folder has no chat template.', 'chat_template_missing');
  }
  const endTokens = [
    ...[generation.eos_token_id ?? []].flat(),
    ...(config.eos_token == null ? [] : [config.eos_token]),
  ];
  if (endTokens.length === 0) {
    throw tokenizerRefused('The tokenizer folder names no end token.', 'end_token_missing');
  }
  const tokenizer = createHuggingFaceTokenizer({
    ...options,
    tokenizerJson,
    chatTemplate,
    bosToken: config.bos_token ?? '',
    eosToken: config.eos_token ?? '',
    endTokens,
  });
  return { ...tokenizer, endIds: [...new Set(tokenizer.endIds)] };
}

function selectTemplate({ chat_template: template }: z.infer<typeof configSchema>): string | undefined {
  if (!Array.isArray(template)) return template ?? undefined;
  return (template.find(({ name }) => name === 'default') ?? template[0])?.template;
}

function parse<Value>(schema: z.ZodType<Value>, json: string, name: string): Value {
  try {
    return schema.parse(JSON.parse(json));
  } catch (error) {
    throw tokenizerRefused(`The file ${name} of the tokenizer folder cannot be read.`, 'tokenizer_invalid', error);
  }
}

async function readTextIfPresent(file: string): Promise<string | undefined> {
  try {
    return (await readIfPresent(file))?.toString('utf8');
  } catch (error) {
    throw tokenizerRefused(`The file ${path.basename(file)} cannot be read.`, 'tokenizer_invalid', error);
  }
}
