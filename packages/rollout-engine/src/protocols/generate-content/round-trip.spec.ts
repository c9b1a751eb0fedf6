import {
  collectOutput,
  createInteractionCache,
  type InteractionDraft,
  type Message,
  type OutputEvent,
} from '@weir/rollout-core';
import fc from 'fast-check';
import type { CompletionEvent, CompletionResult } from '../../completions/completion';
import { parseExactJson } from '../exact-json';
import { generateContent, streamGenerateContent } from './index';

type Part = Readonly<Record<string, unknown>>;
interface Content {
  readonly role: string;
  readonly parts: readonly Part[];
}

const identity = { key: undefined, bodyDigest: '', attempt: 0 };
const conversations = { findConversation: () => undefined };
const usage = { promptTokens: 3, cachedTokens: 0, completionTokens: 2, reasoningTokens: 0 };
const question = { role: 'user', parts: [{ text: 'x' }] };
const body = { contents: [question], generationConfig: { thinkingConfig: { includeThoughts: true } } };
const address = { model: 'm' };
const sse = { model: 'm', query: { alt: 'sse' } };

const pieces = (text: fc.Arbitrary<string>) => fc.array(text, { maxLength: 4 });
const piece = fc.string({ minLength: 1, unit: 'binary' });
const longNumber = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String);
const args = fc.oneof(
  fc.constant(''),
  fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
  fc.tuple(longNumber, longNumber).map(([a, b]) => `{"b": ${a}, "a": [${b}, -${a}.5e400]}`),
);
/** What a parser may emit: reasoning, then text, then calls. */
const output = fc
  .record({
    reasoning: pieces(piece),
    text: pieces(piece),
    calls: fc.array(fc.record({ name: fc.constantFrom('f', 'g'), args }), { maxLength: 4 }),
  })
  .map(({ reasoning, text, calls }): readonly OutputEvent[] => [
    ...reasoning.map((given): OutputEvent => ({ kind: 'reasoning', text: given })),
    ...text.map((given): OutputEvent => ({ kind: 'text', text: given })),
    ...calls.flatMap((call, index): readonly OutputEvent[] => [
      { kind: 'call_started', index, id: `call_${index}`, name: call.name },
      ...(call.args === '' ? [] : [{ kind: 'call_arguments' as const, index, text: call.args }]),
      { kind: 'call_ended', index },
    ]),
  ]);

/** What clients do with an answer before they send it back. */
const habits = fc.record({
  isStreamed: fc.boolean(),
  dropsThoughts: fc.boolean(),
  dropsIds: fc.boolean(),
  signs: fc.boolean(),
});
type Habits = typeof habits extends fc.Arbitrary<infer Value> ? Value : never;

function answer(events: readonly OutputEvent[], { isStreamed }: Habits): readonly Content[] {
  const finished = collectOutput(events);
  const finishReason = finished.toolCalls === undefined ? 'stop' : 'tool_calls';
  const result: CompletionResult = { output: finished, finishReason, stopText: undefined, usage };
  const completion: readonly CompletionEvent[] = [
    { kind: 'started', id: 'gen_1', createdAt: new Date(0), promptTokens: 3 },
    ...events,
    { kind: 'finished', result },
  ];
  if (isStreamed) {
    const stream = streamGenerateContent.createStream(streamGenerateContent.read(body, identity, conversations, sse));
    const chunks = completion.map((event) => stream.take(event)).join('');
    return chunks
      .split('\n\n')
      .filter((chunk) => chunk !== '')
      .map((chunk) => contentOf(chunk.slice('data: '.length)));
  }
  const builder = generateContent.createAnswer(generateContent.read(body, identity, conversations, address));
  for (const event of completion) builder.take(event);
  return [contentOf(JSON.stringify(builder.body()))];
}

/** Clients in other languages keep all digits. */
function contentOf(json: string): Content {
  const { candidates } = parseExactJson(json) as { readonly candidates: readonly [{ readonly content: Content }] };
  return candidates[0].content;
}

function store({ role, parts }: Content, { dropsThoughts, dropsIds, signs }: Habits): Content {
  const kept = parts.flatMap((part): readonly Part[] => {
    if (dropsThoughts && part.thought === true) return [];
    if (!dropsIds || part.functionCall === undefined) return [signs ? { ...part, thoughtSignature: 'eA==' } : part];
    const { name, args: given } = part.functionCall as { readonly name: string; readonly args: object };
    return [{ functionCall: { name, args: given } }];
  });
  return { role, parts: kept.length === 0 ? [{ text: '' }] : kept };
}

function results({ toolCalls = [] }: Message, { dropsIds }: Habits): readonly Part[] {
  return toolCalls.map(({ id, name }, index) => ({
    functionResponse: { ...(dropsIds ? {} : { id }), name, response: { output: `result ${index}` } },
  }));
}

it('continues the recorded answer from what comes back, however a client stores it', () => {
  fc.assert(
    fc.property(output, habits, (events, client) => {
      const recorded = collectOutput(events);
      const cache = createInteractionCache();
      const { request: first } = generateContent.read(body, identity, conversations, address);
      const parent = cache.add(aDraft(first.messages, recorded));

      const stored = answer(events, client).map((content) => store(content, client));
      const parts = [...results(recorded, client), { text: 'Go on.' }];
      const contents = [question, ...stored, { role: 'user', parts }];
      const { request } = generateContent.read({ contents }, identity, conversations, address);
      const attached = cache.attach({ messages: request.messages, contextKey: '' });

      expect(attached.parent).toBe(parent);
      const [, again] = request.messages;
      const answered = attached.newMessages.slice(0, -1).map(({ toolCallId }) => toolCallId);
      expect(answered).toEqual((again?.toolCalls ?? []).map(({ id }) => id));
      expect(attached.newMessages.at(-1)).toEqual({ role: 'user', content: 'Go on.' });
    }),
  );
});

function aDraft(newMessages: readonly Message[], recorded: Message): InteractionDraft {
  return {
    id: 'gen_1',
    parent: undefined,
    newMessages,
    output: recorded,
    contextKey: '',
    contextIds: Int32Array.of(1),
    inheritedTokens: 0,
    sampled: { ids: Int32Array.of(2), logprobs: Float32Array.of(-1), versions: Int32Array.of(0) },
    finishReason: 'stop',
    protocol: 'generate-content',
    model: 'm',
    createdAt: new Date(0),
    completedAt: new Date(1),
    usage,
    continuity: { kind: 'root' },
  };
}
