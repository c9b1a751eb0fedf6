import { collectOutput, type OutputEvent } from '@weir/rollout-core';
import fc from 'fast-check';
import type { CompletionEvent, CompletionResult } from '../../completions/completion';
import { responses } from './index';

const identity = { key: undefined, bodyDigest: '', attempt: 0 };
const call = responses.read({ model: 'm', input: 'x' }, identity, { findConversation: () => undefined });
const usage = { promptTokens: 3, cachedTokens: 0, completionTokens: 2, reasoningTokens: 0 };

type Told = Readonly<Record<string, unknown>> & { readonly type: string; readonly sequence_number: number };

/** Text, reasoning and calls in any order and any chunks, as a parser may emit them. */
const pieces = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('text' as const, 'reasoning' as const), text: fc.string({ minLength: 1 }) }),
    fc.record({ kind: fc.constant('call' as const), pieces: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }) }),
  ),
  { maxLength: 12 },
);

function listCompletion(
  parts: typeof pieces extends fc.Arbitrary<infer Value> ? Value : never,
): readonly CompletionEvent[] {
  let index = -1;
  const events = parts.flatMap((part): readonly OutputEvent[] => {
    if (part.kind !== 'call') return [part];
    index += 1;
    return [
      { kind: 'call_started', index, id: `call_${index}`, name: 'f' },
      ...part.pieces.map((text): OutputEvent => ({ kind: 'call_arguments', index, text })),
      { kind: 'call_ended', index },
    ];
  });
  const output = collectOutput(events);
  const finishReason = output.toolCalls === undefined ? 'stop' : 'tool_calls';
  const result: CompletionResult = { output, finishReason, stopText: undefined, usage };
  return [
    { kind: 'started', id: 'resp_t', createdAt: new Date(0), promptTokens: 3 },
    ...events,
    { kind: 'finished', result },
  ];
}

function streamed(events: readonly CompletionEvent[]): readonly Told[] {
  const stream = responses.createStream(call);
  return events
    .map((event) => stream.take(event))
    .join('')
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => JSON.parse(block.slice(block.indexOf('\ndata: ') + '\ndata: '.length)) as Told);
}

function whole(events: readonly CompletionEvent[]): unknown {
  const answer = responses.createAnswer(call);
  for (const event of events) answer.take(event);
  return answer.body();
}

describe('a streamed response', () => {
  it('ends with the same response as without streaming', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const events = listCompletion(parts);
        expect(streamed(events).at(-1)?.response).toEqual(whole(events));
      }),
    );
  });

  it('numbers its events, opens and ends every item once, and loses no delta', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const emitted = streamed(listCompletion(parts));
        expect(emitted.map(({ sequence_number: number }) => number)).toEqual(emitted.map((_event, index) => index));
        const indexes = (type: string) => emitted.flatMap((event) => (event.type === type ? [event.output_index] : []));
        const done = indexes('response.output_item.done');
        expect(done).toEqual(done.map((_item, index) => index));
        expect(indexes('response.output_item.added')).toEqual(done);
        const deltas = (type: string) =>
          emitted.flatMap((event) => (event.type === type ? [String(event.delta)] : [])).join('');
        const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
        expect(deltas('response.output_text.delta')).toBe(text);
        const json = parts.flatMap((part) => (part.kind === 'call' ? part.pieces : [])).join('');
        expect(deltas('response.function_call_arguments.delta')).toBe(json);
      }),
    );
  });

  it('is read back as the same message', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const events = listCompletion(parts);
        const { output } = whole(events) as { output: readonly object[] };
        const read = responses.read({ model: 'm', input: output }, identity, { findConversation: () => undefined });
        const end = events.at(-1);
        expect(read.request.messages).toEqual(end?.kind === 'finished' ? [end.result.output] : []);
      }),
    );
  });
});
