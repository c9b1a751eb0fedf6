import fc from 'fast-check';
import type { Message } from '../../conversation/message';
import type { TopTokens } from '../../sampled-tokens';
import type { Interaction, InteractionDraft } from '../interaction';
import { createInteractionCache, type InteractionCache } from '../interaction-cache';

export const user = (content: string): Message => ({ role: 'user', content });
export const system = (content: string): Message => ({ role: 'system', content });
export const assistant = (content: string, more: Partial<Message> = {}): Message => ({
  role: 'assistant',
  content,
  ...more,
});
export const tool = (content: string, toolCallId: string): Message => ({ role: 'tool', content, toolCallId });

export interface DraftChoices extends Partial<InteractionDraft> {
  /** Sampled ids; log-probabilities and versions are made from them. */
  readonly answer?: readonly number[];
  /** Prompt ids after the inherited ones. */
  readonly context?: readonly number[];
}

let ids = 0;

/** A completed call; by default with a new id, one user message, two prompt tokens and one sampled token. */
export function aDraft({ answer = [9], context = [1, 2], ...choices }: DraftChoices = {}): InteractionDraft {
  const parent = choices.parent;
  ids += 1;
  return {
    id: `call-${ids}`,
    parent,
    newMessages: [user('Hello')],
    output: assistant('Hi'),
    contextKey: 'tools',
    contextIds: Int32Array.from(context),
    inheritedTokens: parent?.pathTokens ?? 0,
    sampled: {
      ids: Int32Array.from(answer),
      logprobs: Float32Array.from(answer, (id) => -id / 16),
      versions: Int32Array.from(answer, (id) => id % 3),
    },
    finishReason: 'stop',
    protocol: 'chat-completions',
    model: 'test',
    createdAt: new Date(0),
    completedAt: new Date(1),
    usage: { promptTokens: 2, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 },
    continuity: { kind: parent === undefined ? 'root' : 'continued' },
    ...choices,
  };
}

/** A conversation of some turns in one row, each with its own question. */
export function aChain(cache: InteractionCache, completions: number): readonly Interaction[] {
  const chain: Interaction[] = [];
  for (let completion = 0; completion < completions; completion += 1) {
    chain.push(
      cache.add(
        aDraft({
          parent: chain.at(-1),
          newMessages: [user(`Question ${completion}`)],
          output: assistant(`Answer ${completion}`),
        }),
      ),
    );
  }
  return chain;
}

/** The likeliest tokens of so many positions; the last entry of each is missing. */
export function someTop(tokens: number, count: number): TopTokens {
  const entry = (index: number) => index % count !== count - 1 || count === 1;
  const at = Array.from({ length: tokens * count }, (_value, index) => index);
  return {
    count,
    ids: Int32Array.from(at, (index) => (entry(index) ? index + 100 : -1)),
    logprobs: Float32Array.from(at, (index) => (entry(index) ? -index / 8 : -9999)),
  };
}

const step = fc.record({
  /** The index of the parent among the earlier calls; without such a call it is a root. */
  parent: fc.nat(14),
  isRoot: fc.boolean(),
  /** The prompt inherits nothing, all of the parent's path, or some of it. */
  inherits: fc.constantFrom('none' as const, 'all' as const, 'all' as const, 'some' as const),
  share: fc.nat(100),
  question: fc.nat(1),
  context: fc.array(fc.nat(150_000), { minLength: 1, maxLength: 5 }),
  answer: fc.array(fc.tuple(fc.nat(150_000), fc.float({ min: -30, max: 0, noNaN: true }), fc.nat(3)), { maxLength: 6 }),
  top: fc.constantFrom(0, 1, 3),
  isQuarantined: fc.nat(7).map((value) => value === 0),
  reward: fc.option(fc.integer({ min: -8, max: 8 }), { nil: undefined }),
});

/** Sessions of up to 14 calls: roots, continuations, forks, calls that go on from the middle, retries, quarantine. */
export const sessions: fc.Arbitrary<InteractionCache> = fc.array(step, { minLength: 1, maxLength: 14 }).map((steps) => {
  const cache = createInteractionCache();
  for (const one of steps) {
    const before = [...cache];
    const parent = one.isRoot ? undefined : before[one.parent % Math.max(1, before.length)];
    const available = parent?.pathTokens ?? 0;
    const inheritedTokens = { none: 0, all: available, some: Math.floor((available * one.share) / 100) }[one.inherits];
    const added = cache.add({
      ...aDraft({ parent, newMessages: [user(`Question ${one.question}`)], context: one.context, inheritedTokens }),
      sampled: {
        ids: Int32Array.from(one.answer, ([id]) => id),
        logprobs: Float32Array.from(one.answer, ([, logprob]) => logprob),
        versions: Int32Array.from(one.answer, ([, , version]) => version),
        ...(one.top === 0 ? {} : { top: someTop(one.answer.length, one.top) }),
      },
      ...(one.isQuarantined ? { quarantine: 'logprobs_missing' } : {}),
    });
    if (one.reward !== undefined) cache.rewards.set(added.id, one.reward);
  }
  return cache;
});
