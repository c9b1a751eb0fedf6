import type { ModelFamily } from './model-family';
import type { StandIn } from './stand-in';

export interface AppendedTextInput {
  readonly standIn: StandIn;
  readonly family: ModelFamily;
  /** The stand-in's question alone, with the generation prompt: what its answer would have been sampled behind. */
  readonly question: string;
  /** The stand-in rendered alone, without a generation prompt. */
  readonly base: string;
  /** The stand-in and the new messages, with the generation prompt. */
  readonly extended: string;
}

export type AppendedText =
  | {
      readonly kind: 'appended';
      /** All that the template puts behind the answer: its closer, the new messages, the generation prompt. */
      readonly text: string;
      /** The template shows the answer's thought at the end of a conversation, and not any more before these messages. */
      readonly dropsThought: boolean;
    }
  | { readonly kind: 'not_append_only' };

const notAppendOnly = { kind: 'not_append_only' } as const;

/** What a template adds to a conversation, from two renderings that differ in nothing else. */
export function appendedText({ standIn, family, question, base, extended }: AppendedTextInput): AppendedText {
  const before = splitAt(base, standIn.marker);
  const after = splitAt(extended, standIn.marker);
  if (before === undefined || after === undefined) return notAppendOnly;
  // A template that moves the tools behind the newest question leaves both heads alike, and neither was ever sent.
  if (!isSame(before.head, after.head, family) || !isBehind(before.head, question, family)) return notAppendOnly;
  const written = standIn.carriesCalls ? upToCloser(before.tail, family) : '';
  if (!after.tail.startsWith(written)) return notAppendOnly;
  return {
    kind: 'appended',
    text: after.tail.slice(written.length),
    dropsThought: before.head.includes(standIn.thoughtMarker) && !after.head.includes(standIn.thoughtMarker),
  };
}

function splitAt(text: string, marker: string): { readonly head: string; readonly tail: string } | undefined {
  const at = text.indexOf(marker);
  return at < 0 ? undefined : { head: text.slice(0, at), tail: text.slice(at + marker.length) };
}

/** Behind the marker in a call come the rest of its syntax, which the model has sampled, and then the closer. */
function upToCloser(tail: string, { closers }: ModelFamily): string {
  const places = closers.map((closer) => tail.indexOf(closer)).filter((place) => place >= 0);
  return tail.slice(0, Math.min(tail.length, ...places));
}

const isSame = (a: string, b: string, family: ModelFamily): boolean => a === b || bare(a, family) === bare(b, family);

function isBehind(head: string, question: string, family: ModelFamily): boolean {
  return head.startsWith(question) || bare(head, family).startsWith(barePrompt(question, family));
}

/** A generation prompt may open a thought, or end one that it never opened, where the history shows neither. */
function barePrompt(question: string, family: ModelFamily): string {
  const text = bare(question, family);
  const mark = family.thought.find((thought) => text.endsWith(thought)) ?? '';
  return text.slice(0, text.length - mark.length);
}

/** Without thoughts, and without white space, since templates write other line ends where they leave a thought out. */
function bare(text: string, { thought: [open, close] }: ModelFamily): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, start)) {
    const end = text.indexOf(close, at);
    if (end < 0) break;
    parts.push(text.slice(start, at));
    start = end + close.length;
  }
  return [...parts, text.slice(start)].join('').replaceAll(/\s+/g, '');
}
