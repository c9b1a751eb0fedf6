import type { ToolCall } from '@weir/rollout-core';
import { chatCompletions } from '../protocols/chat-completions';
import { messages } from '../protocols/messages';
import { responses } from '../protocols/responses';
import { aSession, aCompletion, forever, play } from './testing/completion-fixture';
import { add, useCompletionFixture } from './testing/use-completion-fixture';

const toCall = (a: number): string => `<tool_call>\n{"name": "add", "arguments": {"a": ${a}}}\n</tool_call>`;

describe('a completion', () => {
  const fixture = useCompletionFixture();
  const { start, says, lastPrompt } = fixture;

  describe('with tools', () => {
    const withTools = { tools: [add], toolChoice: { kind: 'auto' } as const };

    it('emits every call of an answer', async () => {
      await start('sglang');
      await says(`${toCall(1)}\n${toCall(2)}`);
      const { output, result } = await play(fixture.runCompletion(aSession(), aCompletion(withTools), forever()));
      expect(output.toolCalls?.map((call) => call.arguments)).toEqual(['{"a": 1}', '{"a": 2}']);
      expect(result.finishReason).toBe('tool_calls');
    });

    it.each([true, false])('ends with its first call if only one is wanted, streaming %s', async (isStreaming) => {
      await start('sglang');
      await says(`${toCall(1)}\n${toCall(2)}`);
      const session = aSession();
      const request = aCompletion({ ...withTools, parallelToolCalls: false, isStreaming });
      const { id, output } = await play(fixture.runCompletion(session, request, forever()));
      expect(output.toolCalls?.map((call) => call.arguments)).toEqual(['{"a": 1}']);
      const { sampled } = session.cache.get(id) ?? {};
      const { ids = new Int32Array() } = fixture.fake.calls.at(-1) ?? {};
      expect(sampled?.ids).toEqual(ids.slice(0, sampled?.ids.length));
    });

    it.each([true, false])('emits an unfinished call as text, streaming %s', async (isStreaming) => {
      await start('sglang');
      const text = toCall(1).slice(0, -'}</tool_call>'.length - 2);
      await says(text);
      const request = aCompletion({ ...withTools, isStreaming });
      const { output, result, events } = await play(fixture.runCompletion(aSession(), request, forever()));
      expect([output.content, output.toolCalls, result.finishReason]).toEqual([text, undefined, 'stop']);
      expect(events.filter(({ kind }) => kind.startsWith('call'))).toEqual([]);
    });

    it('continues that call with its exact tokens', async () => {
      await start('sglang');
      await says(`${toCall(1)}\n${toCall(2)}`);
      const session = aSession();
      const request = aCompletion({ ...withTools, parallelToolCalls: false });
      const { id, output } = await play(fixture.runCompletion(session, request, forever()));
      const tokens = [...lastPrompt(), ...(session.cache.get(id)?.sampled.ids ?? [])];
      const [call] = output.toolCalls ?? [];
      const result = { role: 'tool' as const, content: '1', toolCallId: call?.id ?? '' };
      await play(
        fixture.runCompletion(session, { ...request, messages: [...request.messages, output, result] }, forever()),
      );
      expect(lastPrompt().slice(0, tokens.length)).toEqual(tokens);
      expect(session.cache.last?.continuity).toEqual({ kind: 'continued' });
    });

    it('reads no calls if none are allowed', async () => {
      await start('sglang');
      await says(toCall(1));
      const { output, result } = await play(
        fixture.runCompletion(aSession(), aCompletion({ tools: [add], toolChoice: { kind: 'none' } }), forever()),
      );
      expect([output.toolCalls, result.finishReason]).toEqual([undefined, 'stop']);
      expect(output.content).toContain('<tool_call>');
    });

    const { name, parameters } = add;
    const identity = { key: undefined, bodyDigest: '', attempt: 0 };
    type Result = readonly [string, string];
    /** A question, and the calls of its answer with their results. */
    const protocols = {
      'chat-completions': (calls: readonly ToolCall[], results: readonly Result[]) =>
        chatCompletions.read(
          {
            model: 'm',
            tools: [{ type: 'function', function: add }],
            messages: [
              { role: 'user', content: 'hello' },
              ...(calls.length === 0 ? [] : [{ role: 'assistant', content: null, tool_calls: calls.map(toFunction) }]),
              ...results.map(([id, content]) => ({ role: 'tool', tool_call_id: id, content })),
            ],
          },
          identity,
          nothing,
        ),
      responses: (calls: readonly ToolCall[], results: readonly Result[]) =>
        responses.read(
          {
            model: 'm',
            tools: [{ type: 'function', name, parameters }],
            input: [
              { role: 'user', content: 'hello' },
              ...calls.map((call) => ({ type: 'function_call', call_id: call.id, name, arguments: call.arguments })),
              ...results.map(([id, output]) => ({ type: 'function_call_output', call_id: id, output })),
            ],
          },
          identity,
          nothing,
        ),
      messages: (calls: readonly ToolCall[], results: readonly Result[]) =>
        messages.read(
          {
            model: 'm',
            max_tokens: 256,
            tools: [{ name, input_schema: parameters }],
            messages: [
              { role: 'user', content: 'hello' },
              ...(calls.length === 0 ? [] : [{ role: 'assistant', content: calls.map(toUse) }]),
              ...(results.length === 0 ? [] : [{ role: 'user', content: results.map(toResult) }]),
            ],
          },
          identity,
          nothing,
        ),
    };

    it.each(Object.entries(protocols))(
      'continues an answer with its exact tokens, and the results in the order of its calls, in %s',
      async (_, read) => {
        await start('sglang');
        await says(`${toCall(1)}\n${toCall(2)}`);
        const session = aSession();
        const turn = async (calls: readonly ToolCall[], results: readonly Result[]) => {
          const request = aCompletion({ ...read(calls, results).request, identity: aCompletion().identity });
          return play(fixture.runCompletion(session, request, forever()));
        };
        const { id, output } = await turn([], []);
        const tokens = [...lastPrompt(), ...(session.cache.get(id)?.sampled.ids ?? [])];
        const [first, second] = output.toolCalls ?? [];
        const results: readonly Result[] = [
          [first?.id ?? '', 'one'],
          [second?.id ?? '', 'two'],
        ];

        await turn(output.toolCalls ?? [], results.toReversed());
        const prompt = lastPrompt();
        expect(prompt.slice(0, tokens.length)).toEqual(tokens);
        expect(fixture.tokenizer.createDecoder().push(Int32Array.from(prompt.slice(tokens.length)))).toMatch(
          /one[^]+two/,
        );
        await turn(output.toolCalls ?? [], results);
        expect(lastPrompt()).toEqual(prompt);
        expect(session.cache.last?.continuity).toEqual({ kind: 'continued' });
      },
    );
  });
});

const nothing = { findConversation: () => undefined };

const toFunction = ({ id, ...call }: ToolCall) => ({ id, type: 'function', function: call });
const toUse = (call: ToolCall) => ({
  type: 'tool_use',
  id: call.id,
  name: call.name,
  input: JSON.parse(call.arguments) as unknown,
});
const toResult = ([id, content]: readonly [string, string]) => ({ type: 'tool_result', tool_use_id: id, content });
