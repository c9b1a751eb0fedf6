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
  });
});
