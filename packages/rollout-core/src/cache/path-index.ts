import {
  canonicalText,
  digestText,
  exactKey,
  firstPosition,
  messageKey,
  positionAfter,
  type MessagePosition,
} from '../conversation/message-key';
import { exactMatching, matchingWithout, type Matching } from '../conversation/matching-presets';
import type { Message } from '../conversation/message';
import type { Interaction } from './interaction';

/** Digests of the beginnings of a conversation: of none of its messages, of the first, of the first two, … */
export type Trail = readonly string[];

/** The digest of no messages under some tools and template arguments. */
export const rootDigest = (contextKey: string): string => digestText(`root ${contextKey}`);

/** Goes on from the digest of a beginning. Linear in the messages, whatever lies before them. */
export function buildTrail(
  messages: readonly Message[],
  matching: Matching,
  start: { readonly digest: string; readonly position?: MessagePosition },
): Trail {
  const trail = [start.digest];
  let { digest, position = firstPosition } = start;
  for (const message of messages) {
    // Of the text itself: a digest of its digest would double the cost of long conversations.
    digest = digestText(`${digest}${canonicalText(message, position, matching)}`);
    trail.push(digest);
    position = positionAfter(message, position);
  }
  return trail;
}

/**
 * Finds interactions by the digest of their path. Every step is one look-up in a map, so nothing here costs more in a
 * session that holds more.
 */
export class PathIndex {
  readonly #ends = new Map<string, Interaction>();
  /** Only of paths that several interactions have. */
  readonly #exactEnds = new Map<string, Interaction>();
  readonly #continuations = new Map<string, Interaction>();
  readonly #outputs = new Set<string>();
  readonly #matching: Matching;

  constructor(matching: Matching) {
    this.#matching = matching;
  }

  /** `trail` starts where the parent ends and goes up to the output. Later ones take the place of equal ones. */
  add(interaction: Interaction, trail: Trail): void {
    const end = trail.at(-1) ?? '';
    for (const digest of trail.slice(0, -1)) this.#continuations.set(digest, interaction);
    const equal = this.#ends.get(end);
    if (equal !== undefined) {
      if (!this.#exactEnds.has(exactEnd(end, equal.output))) this.#indexIdentity(end, equal);
      this.#indexIdentity(end, interaction);
    }
    this.#ends.set(end, interaction);
    this.#outputs.add(messageKey(interaction.output, firstPosition, this.#matching));
  }

  #indexIdentity(end: string, interaction: Interaction): void {
    const { messages, output } = interaction;
    for (const key of identityKeys(end, [...messages, output], output)) this.#exactEnds.set(key, interaction);
  }

  /**
   * The deepest interaction whose path is a beginning of the messages. Of interactions with equal paths the one whose
   * path came back to the letter, else with all its call ids, else whose output did, else the latest.
   */
  deepest(trail: Trail, messages: readonly Message[]): Interaction | undefined {
    for (let length = messages.length; length > 0; length -= 1) {
      const digest = trail[length] ?? '';
      const latest = this.#ends.get(digest);
      const output = messages[length - 1];
      if (latest !== undefined && output !== undefined) {
        return this.#findIdentical(digest, messages.slice(0, length), output) ?? latest;
      }
    }
    return undefined;
  }

  #findIdentical(end: string, path: readonly Message[], output: Message): Interaction | undefined {
    if (this.#exactEnds.size === 0) return undefined;
    for (const key of identityKeys(end, path, output)) {
      const found = this.#exactEnds.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** How many messages of a trail some path begins with too. */
  knownLength(trail: Trail): number {
    const unknown = trail.findIndex(
      (digest, length) => length > 0 && !this.#continuations.has(digest) && !this.#ends.has(digest),
    );
    return unknown < 0 ? trail.length - 1 : unknown - 1;
  }

  /** The latest interaction that goes on, within its own messages or output, from a beginning. */
  continuation(digest: string): Interaction | undefined {
    return this.#continuations.get(digest);
  }

  isOutput(message: Message): boolean {
    return message.role === 'assistant' && this.#outputs.has(messageKey(message, firstPosition, this.#matching));
  }
}

const withCallIds = matchingWithout(['tool-call-ids']);

/** By what equal paths are told apart, the strictest first: an early answer may differ where the last ones do not. */
function* identityKeys(end: string, path: readonly Message[], output: Message): Generator<string> {
  yield `path ${lastDigest(end, path, exactMatching)}`;
  const calls = lastDigest(end, path, withCallIds);
  yield `calls and output ${exactEnd(calls, output)}`;
  yield `calls ${calls}`;
  yield exactEnd(end, output);
}

const lastDigest = (digest: string, path: readonly Message[], matching: Matching): string =>
  buildTrail(path, matching, { digest }).at(-1) ?? '';

const exactEnd = (digest: string, output: Message): string => digestText(`${digest}${exactKey(output)}`);
