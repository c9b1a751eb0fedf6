export type FamilyName = 'chatml' | 'llama3' | 'mistral' | 'deepseek' | 'glm' | 'generic';

/** How the models of a family mark the turns of a conversation. */
export interface ModelFamily {
  readonly name: FamilyName;
  /** Tokens that end an answer when the model samples them. Any of them closes the turn, whichever the template writes. */
  readonly closers: readonly string[];
  /** The closer is at the same time the first token of the next message, and so has to fit what that is. */
  readonly closerOpensNextMessage: boolean;
  /** What stands around a thought. */
  readonly reasoningMarks: readonly [open: string, close: string];
}

export interface FamilyEvidence {
  /** Jinja source. */
  readonly chatTemplate: string;
  /** Whether the vocabulary has a token of exactly this text. */
  readonly hasToken: (token: string) => boolean;
  /** Texts of the tokens that end a generation. */
  readonly endTokens: readonly string[];
}

interface KnownFamily extends ModelFamily {
  /** Role marks that template and vocabulary both have. */
  readonly marks: readonly string[];
}

const thinkMarks = ['<think>', '</think>'] as const;

const known = (name: FamilyName, marks: readonly string[], closers: readonly string[]): KnownFamily => ({
  name,
  marks,
  closers,
  closerOpensNextMessage: false,
  reasoningMarks: thinkMarks,
});

const knownFamilies: readonly KnownFamily[] = [
  known('chatml', ['<|im_start|>'], ['<|im_end|>']),
  known('llama3', ['<|start_header_id|>'], ['<|eot_id|>', '<|eom_id|>']),
  known('deepseek', ['<｜Assistant｜>'], ['<｜end▁of▁sentence｜>']),
  {
    ...known('glm', ['<|assistant|>', '<|observation|>'], ['<|user|>', '<|observation|>']),
    closerOpensNextMessage: true,
  },
  { ...known('mistral', ['[INST]'], ['</s>']), reasoningMarks: ['[THINK]', '[/THINK]'] },
];

/**
 * Which family a model is of, seen from its template and vocabulary. Of `generic` only the end tokens are known, and
 * they are taken as closers. What the template writes between turns is never in a table: it is read from a rendering.
 */
export function detectFamily({ chatTemplate, hasToken, endTokens }: FamilyEvidence): ModelFamily {
  const found = knownFamilies.find(
    ({ marks, closers }) =>
      marks.every((mark) => chatTemplate.includes(mark) && hasToken(mark)) && closers.some(hasToken),
  );
  if (found === undefined) {
    return { name: 'generic', closers: endTokens, closerOpensNextMessage: false, reasoningMarks: thinkMarks };
  }
  const { name, closers, closerOpensNextMessage, reasoningMarks } = found;
  return {
    name,
    closers: closers.filter(hasToken),
    closerOpensNextMessage,
    reasoningMarks,
  };
}
