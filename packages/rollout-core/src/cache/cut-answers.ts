import { canonicalText, digestText, firstPosition, positionAfter } from '../conversation/message-key';
import type { Matching } from '../conversation/matching-presets';
import type { Message } from '../conversation/message';
import type { Interaction } from './interaction';
import type { Trail } from './path-index';

export interface SplitConversation {
  readonly messages: readonly Message[];
  readonly trail: Trail;
}

interface SplitOptions {
  /** The digest of the empty conversation. */
  readonly digest: string;
  /** Whether a path ends with this digest. */
  readonly isEnd: (digest: string) => boolean;
}

/**
 * Answers that a stop string ended. Their tokens hold the stop string, their text does not, and clients such as smolagents
 * send it back with the stop string and more. Where the text of the tokens is the beginning of such a message, the
 * message is the answer and a continuation.
 */
export class CutAnswers {
  /** The key is the digest of the messages that precede the answer. */
  readonly #answers = new Map<string, Interaction[]>();
  readonly #matching: Matching;

  constructor(matching: Matching) {
    this.#matching = matching;
  }

  get isEmpty(): boolean {
    return this.#answers.size === 0;
  }

  /** `before` is the digest of the messages of its request. */
  add(interaction: Interaction, before: string): void {
    if (interaction.cutText === undefined) return;
    const equal = this.#answers.get(before);
    if (equal === undefined) this.#answers.set(before, [interaction]);
    else equal.push(interaction);
  }

  /** The messages of a request with such answers apart from what follows them, and the digests of its prefixes. */
  split(messages: readonly Message[], { digest, isEnd }: SplitOptions): SplitConversation {
    const found: Message[] = [];
    const trail = [digest];
    let position = firstPosition;
    const digestWith = (message: Message): string =>
      digestText(`${trail.at(-1) ?? ''}${canonicalText(message, position, this.#matching)}`);
    const push = (message: Message): void => {
      trail.push(digestWith(message));
      found.push(message);
      position = positionAfter(message, position);
    };
    for (const message of messages) {
      const isKnown = message.role !== 'assistant' || isEnd(digestWith(message));
      for (const part of isKnown ? [message] : this.#splitAnswer(message, trail.at(-1) ?? '')) push(part);
    }
    return { messages: found, trail };
  }

  #splitAnswer(message: Message, before: string): readonly Message[] {
    if ((message.toolCalls ?? []).length > 0) return [message];
    const splits = (this.#answers.get(before) ?? []).map((answer) => this.#splitBy(answer, message.content));
    // The split that explains most of the message wins; of equal ones the latest.
    const best = splits.filter((split) => split !== undefined).sort((one, other) => one.length - other.length);
    return best.at(-1)?.parts ?? [message];
  }

  #splitBy({ output, cutText = '' }: Interaction, content: string): Split | undefined {
    const sampled = output.content + cutText;
    const length = sampled.length;
    if (this.#matching.has('whitespace') && content.trimEnd() === sampled.trimEnd()) return { length, parts: [output] };
    if (!content.startsWith(sampled)) return undefined;
    const rest = content.slice(output.content.length);
    if (rest === cutText) return { length, parts: [output] };
    return { length, parts: [output, { role: 'assistant', content: rest, continues: true }] };
  }
}

interface Split {
  /** The length in characters of the sampled tokens' text. */
  readonly length: number;
  readonly parts: readonly Message[];
}
