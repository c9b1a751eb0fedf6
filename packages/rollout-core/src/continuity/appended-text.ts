import type { ModelFamily } from '../families/detect-family';
import type { PlaceholderExchange } from './placeholder-exchange';

export interface AppendedTextInput {
  readonly placeholder: PlaceholderExchange;
  readonly family: ModelFamily;
  /** The placeholder's question with the generation prompt, which is the prompt of its answer. */
  readonly question: string;
  /** The placeholder without a generation prompt. */
  readonly base: string;
  /** The placeholder and the new messages, with the generation prompt. */
  readonly extended: string;
}

export type AppendedText =
  | {
      readonly kind: 'appended';
      /** Everything that the template renders after the answer: its closer, the new messages, the generation prompt. */
      readonly text: string;
      /** The answer has reasoning, and the template does not render it before these messages. */
      readonly dropsReasoning: boolean;
    }
  | { readonly kind: 'not_append_only' };

const notAppendOnly = { kind: 'not_append_only' } as const;

/** Finds the text that a template adds to a conversation, from two renderings that differ only in that text. */
export function appendedText({ placeholder, family, question, base, extended }: AppendedTextInput): AppendedText {
  const before = splitAt(base, placeholder.marker);
  const after = splitAt(extended, placeholder.marker);
  if (before === undefined || after === undefined) return notAppendOnly;
  // A template that moves the tools after the newest question renders equal heads, but neither was sent.
  if (!isSame(before.head, after.head, family) || !continuesQuestion(before.head, question, family))
    return notAppendOnly;
  const written = placeholder.carriesCalls ? beforeCloser(before.tail, family) : '';
  if (!after.tail.startsWith(written)) return notAppendOnly;
  return {
    kind: 'appended',
    text: after.tail.slice(written.length),
    dropsReasoning: placeholder.hasReasoning && !after.head.includes(placeholder.reasoningMarker),
  };
}

function splitAt(text: string, marker: string): { readonly head: string; readonly tail: string } | undefined {
  const at = text.indexOf(marker);
  return at < 0 ? undefined : { head: text.slice(0, at), tail: text.slice(at + marker.length) };
}

/** After the marker in a call come the rest of its syntax, which the model sampled, and then the closer. */
function beforeCloser(tail: string, { closers }: ModelFamily): string {
  const positions = closers.map((closer) => tail.indexOf(closer)).filter((position) => position >= 0);
  return tail.slice(0, Math.min(tail.length, ...positions));
}

const isSame = (a: string, b: string, family: ModelFamily): boolean =>
  a === b || withoutReasoning(a, family) === withoutReasoning(b, family);

function continuesQuestion(head: string, question: string, family: ModelFamily): boolean {
  return head.startsWith(question) || withoutReasoning(head, family).startsWith(withoutReasoningMark(question, family));
}

/** A generation prompt may contain a reasoning mark that the history does not have. */
function withoutReasoningMark(question: string, family: ModelFamily): string {
  const text = withoutReasoning(question, family);
  const mark = family.reasoningMarks.find((thought) => text.endsWith(thought)) ?? '';
  return text.slice(0, text.length - mark.length);
}

/**
 * White space is removed too, because templates use other line ends where they omit reasoning, and so are marks that close
 * reasoning without an opening one: templates write them where there is none.
 */
function withoutReasoning(text: string, { reasoningMarks: [open, close] }: ModelFamily): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, start)) {
    const end = text.indexOf(close, at);
    if (end < 0) break;
    parts.push(text.slice(start, at));
    start = end + close.length;
  }
  return [...parts, text.slice(start)].join('').replaceAll(close, '').replaceAll(/\s+/g, '');
}
