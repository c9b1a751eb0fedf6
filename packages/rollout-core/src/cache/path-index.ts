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

/** Digests of the prefixes of a conversation: of no message, the first one, the first two, … */
export type Trail = readonly string[];

/** The digest of no messages with these tools and template arguments. */
export const rootDigest = (contextKey: string): string => digestText(`root ${contextKey}`);

/** Continues from the digest of a prefix. Linear in the messages, independent of what precedes them. */
export function buildTrail(
  messages: readonly Message[],
  matching: Matching,
  start: { readonly digest: string; readonly position?: MessagePosition },
): Trail {
  const trail = [start.digest];
  let { digest, position = firstPosition } = start;
  for (const message of messages) {
    // The text itself is digested: a digest of digests would double the cost of long conversations.
    digest = digestText(`${digest}${canonicalText(message, position, matching)}`);
    trail.push(digest);
    position = positionAfter(message, position);
  }
  return trail;
}

/**
 * Finds interactions by the digest of their path. Every step is one map look-up, so the cost does not depend on the size
 * of the session.
 */
export class PathIndex {
  readonly #ends = new Map<string, Interaction>();
  /** Holds only paths that several interactions share. */
  readonly #exactEnds = new Map<string, Interaction>();
  readonly #continuations = new Map<string, Interaction>();
  readonly #outputs = new Set<string>();
  readonly #matching: Matching;

  constructor(matching: Matching) {
    this.#matching = matching;
  }

  /** `trail` starts at the end of the parent and includes the output. A later interaction replaces an equal one. */
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
   * The deepest interaction whose path is a prefix of the messages. Of interactions with equal paths: the one whose path
   * came back identically, else with all its call ids, else with its output, else the latest.
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

  /** Whether a path ends with this digest. */
  isEnd(digest: string): boolean {
    return this.#ends.has(digest);
  }

  /** Length of the longest prefix, in messages, that a path also has. */
  knownLength(trail: Trail): number {
    const unknown = trail.findIndex(
      (digest, length) => length > 0 && !this.#continuations.has(digest) && !this.#ends.has(digest),
    );
    return unknown < 0 ? trail.length - 1 : unknown - 1;
  }

  /** The latest interaction whose own messages or output continue a prefix. */
  continuation(digest: string): Interaction | undefined {
    return this.#continuations.get(digest);
  }

  isOutput(message: Message): boolean {
    return message.role === 'assistant' && this.#outputs.has(messageKey(message, firstPosition, this.#matching));
  }
}

const withCallIds = matchingWithout(['tool-call-ids']);

/** Distinguishes equal paths, strictest first: an early answer may differ where the last ones do not. */
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
