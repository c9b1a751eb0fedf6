import { thinkTags } from './model-family';
import { modelFamilies, type FamilyName } from './registry';

/** How the models of a family mark the messages of a conversation. */
export interface ModelFamily {
  readonly name: FamilyName;
  /** Tokens that end an answer when the model samples them. Any of them closes it, whichever the template writes. */
  readonly closers: readonly string[];
  /** A closer is also the first token of the next message, so it must agree with that message. */
  readonly closerOpensNextMessage: boolean;
  /** What the models write between an answer without calls and its closer; may be empty. */
  readonly answerEnd: string;
  /** The marks around reasoning. */
  readonly reasoningMarks: readonly [open: string, close: string];
}

export interface FamilyEvidence {
  /** The template's Jinja source. */
  readonly chatTemplate: string;
  /** Whether the vocabulary has a token of exactly this text. */
  readonly hasToken: (token: string) => boolean;
  /** Strings of the tokens that end a generation. */
  readonly endTokens: readonly string[];
}

/**
 * Detects the family of a model from its template and vocabulary. For `generic` only the end tokens are known, and they
 * serve as closers. The text between messages is never in a table: it is read from a rendering.
 */
export function detectFamily({ chatTemplate, hasToken, endTokens }: FamilyEvidence): ModelFamily {
  const family = modelFamilies.find(
    ({ roleMarks, templateMarks = [], closers }) =>
      roleMarks.every((mark) => chatTemplate.includes(mark) && hasToken(mark)) &&
      templateMarks.every((mark) => chatTemplate.includes(mark)) &&
      closers.some(hasToken),
  );
  const { open, close } = family?.reasoning ?? thinkTags;
  return {
    name: family?.name ?? 'generic',
    closers: family?.closers.filter(hasToken) ?? endTokens,
    closerOpensNextMessage: family?.closerOpensNextMessage ?? false,
    answerEnd: family?.answerEnd ?? '',
    reasoningMarks: [open, close],
  };
}
