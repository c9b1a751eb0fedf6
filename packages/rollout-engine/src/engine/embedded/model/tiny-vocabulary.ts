import { byteLetters, toByteLetters } from './byte-alphabet';

export interface TinyVocabulary {
  /** The index is the id: 256 bytes, then merged tokens, then control tokens. */
  readonly tokens: readonly string[];
  readonly merges: readonly (readonly [string, string])[];
  readonly controlTokens: readonly string[];
  /** The merged tokens that are whole words. */
  readonly wordTokens: ReadonlySet<string>;
}

export const tinyControlTokens = {
  startOfMessage: '<|im_start|>',
  endOfMessage: '<|im_end|>',
  endOfText: '<|endoftext|>',
  startOfCall: '<tool_call>',
  endOfCall: '</tool_call>',
  startOfReasoning: '<think>',
  endOfReasoning: '</think>',
} as const;

// Common in conversations with tools, so that prompts are shorter than one token per byte.
const words =
  'the and that this with from have what will tool name city time file text list value result answer arguments ' +
  'function parameters description properties required string number object type weather search system user assistant ' +
  'content in is of to a you it on for be are can not or as at by an if';

/** Bytes, common words merged letter by letter with and without a leading space, and the control tokens of ChatML. */
export function createTinyVocabulary(): TinyVocabulary {
  const tokens = new Set(byteLetters);
  const merges: (readonly [string, string])[] = [];
  const wordTokens = new Set<string>();
  for (const word of words.split(' ').flatMap((text) => [` ${text}`, text])) {
    const [first = '', ...letters] = Array.from(toByteLetters(word));
    let left = first;
    for (const letter of letters) {
      const merged = left + letter;
      if (!tokens.has(merged)) {
        tokens.add(merged);
        merges.push([left, letter]);
      }
      left = merged;
    }
    wordTokens.add(left);
  }
  const controlTokens = Object.values(tinyControlTokens);
  return { tokens: [...tokens, ...controlTokens], merges, controlTokens, wordTokens };
}

/** The vocabulary as the `tokenizer.json` that Hugging Face's libraries read. */
export function tokenizerJson({ tokens, merges, controlTokens }: TinyVocabulary): string {
  const firstControl = tokens.length - controlTokens.length;
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: controlTokens.map((content, index) => ({
      id: firstControl + index,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(tokens.slice(0, firstControl).map((token, id) => [token, id])),
      merges,
    },
  });
}

export function tokenizerConfigJson(chatTemplate: string, contextLength: number): string {
  const { endOfMessage, endOfText } = tinyControlTokens;
  return JSON.stringify({
    tokenizer_class: 'PreTrainedTokenizerFast',
    add_bos_token: false,
    add_prefix_space: false,
    bos_token: null,
    eos_token: endOfMessage,
    pad_token: endOfText,
    clean_up_tokenization_spaces: false,
    model_max_length: contextLength,
    chat_template: chatTemplate,
  });
}

/**
 * Names both tokens that end an answer: of a message and of the text. A complete grammar lets the model sample either.
 */
export function generationConfigJson({ tokens }: TinyVocabulary): string {
  const { endOfMessage, endOfText } = tinyControlTokens;
  return JSON.stringify({ eos_token_id: [endOfMessage, endOfText].map((token) => tokens.indexOf(token)) });
}
