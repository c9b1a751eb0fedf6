import { AppError } from '@weir/foundation';
import { joinIds } from '../../tokenizer/join-ids';
import { namedTokenPattern } from '../../tokenizer/named-tokens';
import { createTokenDecoder } from '../../tokenizer/token-decoder';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import type { EmbeddedHost } from './embedded-host';
import { readGgufFields } from './model/gguf-reader';
import { readVocabulary, type Vocabulary } from './model/gguf-vocabulary';

/** Includes loading the model. */
const encodeDeadlineMs = 150_000;

/**
 * The tokenizer in the model file, for a model without `tokenizer.json`: the table of tokens is read here, strings are
 * encoded by llama.cpp in the engine's process. Rejects with `invalid_request`: `gguf_invalid`, `tokenizer_unsupported`
 * (a vocabulary that is not byte-level), `chat_template_missing`.
 */
export async function createEmbeddedTokenizer({ host }: { readonly host: EmbeddedHost }): Promise<Tokenizer> {
  const vocabulary = readVocabulary(await readGgufFields(host.modelFile));
  const encodeText = async (text: string, control: boolean): Promise<Int32Array> => {
    const deadline = AbortSignal.timeout(encodeDeadlineMs);
    try {
      for await (const message of host.run({ kind: 'encode', text, control }, deadline)) {
        if (message.kind === 'encoded') return message.ids;
      }
    } catch (error) {
      if (deadline.aborted) throw encodingTooSlow(error);
      throw error;
    }
    throw new AppError('upstream_failed', 'The embedded engine gave no answer.', { reason: 'engine_failed' });
  };
  const { digest, chatTemplate, endIds, bosToken, eosToken } = vocabulary;
  return {
    digest,
    chatTemplate,
    endIds,
    bosToken,
    eosToken,
    vocabularySize: vocabulary.size,
    encode: (text, { control }) => encode(text, control, { vocabulary, encodeText }),
    findId: (token) => vocabulary.findId(token),
    tokenBytes: (id) => vocabulary.tokenBytes(id),
    isControl: (id) => vocabulary.isControl(id),
    createDecoder: (options) => createTokenDecoder(vocabulary, options),
    // The engine stops the process.
    stop: () => Promise.resolve(),
  };
}

function encodingTooSlow(cause: unknown): AppError {
  return new AppError('upstream_timeout', 'The embedded engine took too long to encode a string.', {
    reason: 'encoding_too_slow',
    cause,
  });
}

interface Encoding {
  readonly vocabulary: Vocabulary;
  readonly encodeText: (text: string, control: boolean) => Promise<Int32Array>;
}

async function encode(text: string, control: boolean, { vocabulary, encodeText }: Encoding): Promise<Int32Array> {
  if (text === '') return new Int32Array(0);
  const parts = control ? [text] : splitTokenNames(text, vocabulary.alwaysNamed);
  return joinIds(await Promise.all(parts.map((part) => encodeText(part, control))));
}

/** llama.cpp recognises the names of user-defined tokens in any text. Split in two, they are plain text. */
function splitTokenNames(text: string, names: readonly string[]): readonly string[] {
  const pattern = namedTokenPattern(names);
  if (pattern === undefined) return [text];
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const firstLetter = Array.from(match[0])[0] ?? '';
    parts.push(text.slice(from, match.index + firstLetter.length));
    from = match.index + firstLetter.length;
  }
  return [...parts, text.slice(from)];
}
