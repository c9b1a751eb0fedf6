import type { ToolDefinition } from '@weir/rollout-core';
import { type FakeAnswer } from '@weir/fake-engine';
import { waitFor } from '@weir/test-kit';
import type { CompletionEvent, CompletionIdentity } from './completion';
import {
  aSession,
  aCompletion,
  forever,
  play,
  startCompletionFixture,
  type CompletionFixture,
} from './testing/completion-fixture';

const bytes = (text: string): readonly number[] => [...Buffer.from(text)];
const add: ToolDefinition = { name: 'add', parameters: { type: 'object', properties: { a: { type: 'integer' } } } };
const toCall = (a: number): string => `<tool_call>\n{"name": "add", "arguments": {"a": ${a}}}\n</tool_call>`;

describe('a completion', () => {
  let fixture: CompletionFixture;
  afterEach(() => fixture.stop());

  const start = async (...options: Parameters<typeof startCompletionFixture>): Promise<void> => {
    fixture = await startCompletionFixture(...options);
  };
  const encode = async (text: string) => [...(await fixture.tokenizer.encode(text, { control: true }))];
  const endId = (): number => fixture.tokenizer.endIds[0] ?? 0;
  const says = async (text: string, more: Omit<FakeAnswer, 'ids'> = {}): Promise<number> => {
    const ids = await encode(`${text}<|im_end|>`);
    fixture.fake.setScript(() => ({ ids, ...more }));
    return fixture.fake.calls.length;
  };
  const lastPrompt = () => [...(fixture.fake.calls.at(-1)?.request.promptIds ?? [])];

  it('emits its start, every delta and its end, and stores the sampled tokens', async () => {
    await start('sglang');
    await says('the weather');
    const session = aSession();
    const { id, events, output, result } = await play(fixture.runCompletion(session, aCompletion(), forever()));
    expect(events.map(({ kind }) => kind)).toEqual(['started', ...events.slice(1, -1).map(() => 'text'), 'finished']);
    expect(output).toEqual({ role: 'assistant', content: 'the weather' });
    const call = fixture.fake.calls.at(-1);
    expect(session.cache.get(id)?.sampled).toMatchObject({ ids: call?.ids, logprobs: call?.logprobs });
    expect(result).toMatchObject({ finishReason: 'stop', usage: { completionTokens: call?.ids.length } });
  });

  it('continues the sampled tokens of the answer, not a new encoding of its text', async () => {
    await start('sglang');
    const session = aSession();
    // Letter by letter, though the vocabulary has the word.
    fixture.fake.setScript(() => ({ ids: [...bytes('hello'), endId()] }));
    const first = await play(fixture.runCompletion(session, aCompletion(), forever()));
    const asked = [...lastPrompt(), ...bytes('hello'), endId()];
    const messages = [...aCompletion().messages, first.output, { role: 'user' as const, content: 'go on' }];
    const second = await play(fixture.runCompletion(session, aCompletion({ messages }), forever()));
    expect(lastPrompt().slice(0, asked.length)).toEqual(asked);
    expect(session.cache.get(second.id)).toMatchObject({ inheritedTokens: asked.length, parent: { id: first.id } });
  });

  it('answers and stores nothing of a call that is not to be recorded', async () => {
    await start('sglang');
    await says('secret');
    const session = aSession();
    const { output } = await play(fixture.runCompletion(session, aCompletion({ isRecorded: false }), forever()));
    expect([output.content, session.cache.size]).toEqual(['secret', 0]);
  });

  it('is the sibling of a concurrent one that continues the same answer', async () => {
    await start('sglang');
    await says('the root');
    const session = aSession();
    const root = await play(fixture.runCompletion(session, aCompletion(), forever()));
    const goOn = (content: string) =>
      aCompletion({ messages: [...aCompletion().messages, root.output, { role: 'user', content }] });
    const completions = ['left', 'right', 'left'].map((way) =>
      play(fixture.runCompletion(session, goOn(way), forever())),
    );
    const ids = (await Promise.all(completions)).map(({ id }) => id);
    expect(ids.map((id) => session.cache.get(id)?.parent?.id)).toEqual([root.id, root.id, root.id]);
    expect(session.cache.size).toBe(4);
  });

  it('is not trained on where the engine could not show what it samples', async () => {
    await start('vllm', { engine: { script: () => ({ ids: [65, 66], faults: { logprobs: 'missing' } }) } });
    await says('all is well now');
    const session = aSession();
    const { id, output } = await play(fixture.runCompletion(session, aCompletion(), forever()));
    expect([output.content, session.cache.get(id)?.quarantine]).toEqual(['all is well now', 'engine_capture_only']);
  });

  it('is refused before it begins where the engine cannot enforce the named tool', async () => {
    await start('llama-cpp', { engine: { refusesGrammar: true } });
    const session = aSession();
    const request = aCompletion({ tools: [add], toolChoice: { kind: 'named', name: 'add' } });
    const refused = play(fixture.runCompletion(session, request, forever()));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', reason: 'parameter_not_supported' });
    expect([session.cache.size, session.runningCompletions]).toEqual([0, 0]);
  });

  describe('asked for again', () => {
    const identity = (attempt: number, key?: string): CompletionIdentity => ({ key, bodyDigest: 'the body', attempt });

    it('by an SDK that retries while it runs is executed once', async () => {
      await start('sglang');
      const before = await says('once', { faults: { holdAfterTokens: 1 } });
      const session = aSession();
      const completions = [0, 1, 2].map((attempt) =>
        play(fixture.runCompletion(session, aCompletion({ identity: identity(attempt) }), forever())),
      );
      await waitFor(() => fixture.fake.calls.length > before, { what: 'the engine to be asked' });
      fixture.fake.release();
      const [first, ...others] = await Promise.all(completions);
      for (const other of others) expect(other.events).toEqual(first?.events);
      expect([fixture.fake.calls.length - before, session.cache.size]).toEqual([1, 1]);
    });

    it('continues when the first client disconnects', async () => {
      await start('sglang');
      const before = await says('patience', { faults: { holdAfterTokens: 1 } });
      const session = aSession();
      const aborting = new AbortController();
      const first = play(fixture.runCompletion(session, aCompletion({ identity: identity(0) }), aborting.signal));
      const second = play(fixture.runCompletion(session, aCompletion({ identity: identity(1) }), forever()));
      await waitFor(() => fixture.fake.calls.length > before, { what: 'the engine to be asked' });
      aborting.abort();
      await expect(first).rejects.toThrow();
      fixture.fake.release();
      expect((await second).output.content).toBe('patience');
      expect([fixture.fake.calls.length - before, session.cache.size]).toEqual([1, 1]);
    });

    it('without a retry mark is another completion', async () => {
      await start('sglang');
      const before = await says('twice');
      const session = aSession();
      for (const attempt of [0, 0]) {
        await play(fixture.runCompletion(session, aCompletion({ identity: identity(attempt) }), forever()));
      }
      expect([fixture.fake.calls.length - before, session.cache.size]).toEqual([2, 2]);
    });

    it('with its idempotency key gets the same answer, and another body is refused', async () => {
      await start('sglang');
      const before = await says('kept');
      const session = aSession();
      const ask = (bodyDigest: string) =>
        play(
          fixture.runCompletion(session, aCompletion({ identity: { key: 'k', bodyDigest, attempt: 0 } }), forever()),
        );
      const first = await ask('one');
      expect((await ask('one')).events).toEqual(first.events);
      await expect(ask('two')).rejects.toMatchObject({ code: 'conflict', reason: 'idempotency_key_reused' });
      expect(fixture.fake.calls.length - before).toBe(1);
    });

    it('after it failed is executed again', async () => {
      await start('sglang');
      fixture.fake.setScript(() => ({ ids: [], faults: { status: 500 } }));
      const session = aSession();
      const failing = play(fixture.runCompletion(session, aCompletion({ identity: identity(0, 'k') }), forever()));
      await expect(failing).rejects.toMatchObject({ code: 'upstream_failed' });
      await says('well');
      const repeated = await play(
        fixture.runCompletion(session, aCompletion({ identity: identity(1, 'k') }), forever()),
      );
      expect([repeated.output.content, session.cache.size]).toEqual(['well', 1]);
    });
  });

  describe.each([true, false])('that has no followers any more, streaming %s', (isStreaming) => {
    it('ends at the engine and is not recorded', async () => {
      await start('sglang');
      const before = await says('never mind', { faults: isStreaming ? { holdAfterTokens: 2 } : { isHeld: true } });
      const session = aSession();
      const aborting = new AbortController();
      const events = play(fixture.runCompletion(session, aCompletion({ isStreaming }), aborting.signal));
      await waitFor(() => fixture.fake.calls.length > before, { what: 'the engine to be asked' });
      aborting.abort();
      await expect(events).rejects.toThrow();
      await waitFor(() => fixture.fake.calls.at(-1)?.isDisconnected === true, { what: 'the engine to be left' });
      await waitFor(() => session.runningCompletions === 0, { what: 'the completion to end' });
      expect(session.cache.size).toBe(0);
    });
  });

  it('ends at the engine when its loop is left', async () => {
    await start('sglang');
    await says('never mind', { faults: { holdAfterTokens: 2 } });
    const session = aSession();
    for await (const event of fixture.runCompletion(session, aCompletion(), forever()))
      if (event.kind === 'text') break;
    await waitFor(() => fixture.fake.calls.at(-1)?.isDisconnected === true, { what: 'the engine to be left' });
    await waitFor(() => session.runningCompletions === 0, { what: 'the completion to end' });
    expect(session.cache.size).toBe(0);
  });

  it('is aborted when its session is removed', async () => {
    await start('sglang');
    const before = await says('never mind', { faults: { holdAfterTokens: 2 } });
    const session = aSession();
    const events = play(fixture.runCompletion(session, aCompletion(), forever()));
    await waitFor(() => fixture.fake.calls.length > before, { what: 'the engine to be asked' });
    session.disconnect();
    await expect(events).rejects.toThrow('The session went away.');
    expect([session.cache.size, session.runningCompletions]).toEqual([0, 0]);
  });

  describe('with stop strings', () => {
    it.each([
      ['in one piece', 100],
      ['token by token', 1],
    ])('ends with the first one, which comes %s and is not reported', async (_how, tokensPerPiece) => {
      await start('sglang');
      await says('one, STOP two', { tokensPerPiece });
      const session = aSession();
      const completion = await play(fixture.runCompletion(session, aCompletion({ stop: ['two', 'STOP'] }), forever()));
      expect([completion.output.content, completion.text]).toEqual(['one, ', 'one, ']);
      expect(completion.result).toMatchObject({ finishReason: 'stop', stopText: 'STOP' });
      const { sampled } = session.cache.get(completion.id) ?? {};
      const { ids = new Int32Array() } = fixture.fake.calls.at(-1) ?? {};
      expect(sampled?.ids).toEqual(ids.slice(0, sampled?.ids.length));
      expect(completion.result.usage.completionTokens).toBe(sampled?.ids.length);
    });

    it('keeps a doubt that came before the stop string', async () => {
      await start('vllm');
      await says('odd STOP', { faults: { logprobs: 'null' } });
      const session = aSession();
      const { id } = await play(fixture.runCompletion(session, aCompletion({ stop: ['STOP'] }), forever()));
      expect(session.cache.get(id)?.quarantine).toBe('logprobs_missing');
    });

    it('has the versions that the engine reports at its end, a few tokens after the stop string', async () => {
      await start('vllm');
      await says('abSTOP and', { versionChangeAfter: 1 });
      const session = aSession();
      const { id, result } = await play(fixture.runCompletion(session, aCompletion({ stop: ['STOP'] }), forever()));
      const { sampled, quarantine } = session.cache.get(id) ?? {};
      expect([result.stopText, quarantine]).toEqual(['STOP', undefined]);
      expect([...(sampled?.versions ?? [])]).toEqual([3, ...(sampled?.versions.slice(1).fill(4) ?? [])]);
      expect(sampled?.ids.length).toBeLessThan(fixture.fake.calls.at(-1)?.ids.length ?? 0);
    });

    it('is quarantined where the engine continues for long without reporting them', async () => {
      await start('vllm', { limits: { maxNewTokens: 64 } });
      await says(`STOP${' and'.repeat(50)}`);
      const session = aSession();
      const { id } = await play(fixture.runCompletion(session, aCompletion({ stop: ['STOP'] }), forever()));
      expect(session.cache.get(id)?.quarantine).toBe('versions_unconfirmed');
    });

    it('is complete when the engine fails after the stop string', async () => {
      await start('vllm');
      await says('fine STOP and more', { faults: { resetAfterTokens: 10 } });
      const session = aSession();
      const { id, output } = await play(fixture.runCompletion(session, aCompletion({ stop: ['STOP'] }), forever()));
      expect([output.content, session.cache.get(id)?.quarantine]).toEqual(['fine ', 'versions_unconfirmed']);
    });

    it('ignores one within reasoning', async () => {
      await start('sglang');
      await says('<think>\nmaybe\n</think>\n\nyes STOP no');
      const { output } = await play(fixture.runCompletion(aSession(), aCompletion({ stop: ['STOP'] }), forever()));
      expect(output).toEqual({ role: 'assistant', reasoning: 'maybe', content: 'yes ' });
    });
  });

  describe('with tools', () => {
    const withTools = { tools: [add], toolChoice: { kind: 'auto' } as const };

    it('tells every call of an answer', async () => {
      await start('sglang');
      await says(`${toCall(1)}\n${toCall(2)}`);
      const { output, result } = await play(fixture.runCompletion(aSession(), aCompletion(withTools), forever()));
      expect(output.toolCalls?.map((call) => call.arguments)).toEqual(['{"a": 1}', '{"a": 2}']);
      expect(result.finishReason).toBe('tool_calls');
    });

    it.each([true, false])(
      'is over with its first call where only one is wanted, streaming %s',
      async (isStreaming) => {
        await start('sglang');
        await says(`${toCall(1)}\n${toCall(2)}`);
        const session = aSession();
        const request = aCompletion({ ...withTools, parallelToolCalls: false, isStreaming });
        const { id, output } = await play(fixture.runCompletion(session, request, forever()));
        expect(output.toolCalls?.map((call) => call.arguments)).toEqual(['{"a": 1}']);
        const { sampled } = session.cache.get(id) ?? {};
        const { ids = new Int32Array() } = fixture.fake.calls.at(-1) ?? {};
        expect(sampled?.ids).toEqual(ids.slice(0, sampled?.ids.length));
      },
    );

    it.each([true, false])('tells a call that the model did not finish as text, streaming %s', async (isStreaming) => {
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

    it('reads no calls where none may be made', async () => {
      await start('sglang');
      await says(toCall(1));
      const { output, result } = await play(
        fixture.runCompletion(aSession(), aCompletion({ tools: [add], toolChoice: { kind: 'none' } }), forever()),
      );
      expect([output.toolCalls, result.finishReason]).toEqual([undefined, 'stop']);
      expect(output.content).toContain('<tool_call>');
    });
  });

  it('is recorded with what made its tokens', async () => {
    await start('sglang');
    await says('hi');
    const session = aSession();
    const sampling = { temperature: 0.5, logitBias: new Map([[5, -1]]) };
    const { id } = await play(fixture.runCompletion(session, aCompletion({ sampling }), forever()));
    expect(session.cache.get(id)?.provenance).toMatchObject({
      engine: 'sglang',
      tokenizer: fixture.tokenizer.digest,
      logprobs: 'processed',
      versions: 'spans',
      sampling: { temperature: 0.5, logitBias: { 5: -1 } },
      isConstrained: false,
    });
  });

  describe('with a budget', () => {
    const listPrompts = async (limits: Parameters<typeof startCompletionFixture>[1], maxNewTokens?: number) => {
      await start('sglang', limits);
      const session = aSession();
      await play(fixture.runCompletion(session, aCompletion({ maxNewTokens }), forever()));
      return { asked: fixture.fake.calls.at(-1)?.request.maxNewTokens, session };
    };

    it('asks for what its caller wants', async () => {
      expect((await listPrompts({}, 7)).asked).toBe(7);
    });

    it('never requests more than the limit of a completion', async () => {
      expect((await listPrompts({ limits: { maxNewTokens: 9 } }, 70)).asked).toBe(9);
    });

    it('asks for no more than the context has room for', async () => {
      const { asked } = await listPrompts({ engine: { contextLength: 60 } }, 64);
      expect((asked ?? 0) + lastPrompt().length).toBe(60);
    });

    it('asks for no more than the session has left, and then refuses', async () => {
      const { session } = await listPrompts({ limits: { maxSessionTokens: 10 } }, 6);
      await play(fixture.runCompletion(session, aCompletion({ maxNewTokens: 6 }), forever()));
      expect(fixture.fake.calls.at(-1)?.request.maxNewTokens).toBe(4);
      const third = play(fixture.runCompletion(session, aCompletion(), forever()));
      await expect(third).rejects.toMatchObject({ code: 'invalid_request', reason: 'session_tokens_spent' });
    });

    it('ends with length where the engine was interrupted', async () => {
      await start('sglang');
      fixture.fake.setScript(() => bytes('cut off').slice(0, 3));
      const { result, output } = await play(
        fixture.runCompletion(aSession(), aCompletion({ maxNewTokens: 3 }), forever()),
      );
      expect([result.finishReason, output.content]).toEqual(['length', 'cut']);
    });
  });

  it('is under doubt where a version was set while an engine ran that names none', async () => {
    await start('sglang', { engine: { versions: 'none' } });
    const before = await says('changing', { faults: { holdAfterTokens: 2 } });
    const session = aSession();
    const completion = play(fixture.runCompletion(session, aCompletion(), forever()));
    await waitFor(() => fixture.fake.calls.length > before, { what: 'the engine to be asked' });
    fixture.control.setVersion(4);
    fixture.fake.release();
    expect(session.cache.get((await completion).id)?.quarantine).toBe('version_changed_within_answer');
  });

  it('continues after a pause, each segment with the version that sampled it', async () => {
    await start('sglang', { engine: { versions: 'none' } });
    const before = await says('before', { faults: { holdAfterTokens: 2 } });
    const session = aSession();
    const pieces: CompletionEvent[] = [];
    const completion = (async () => {
      for await (const event of fixture.runCompletion(session, aCompletion(), forever())) pieces.push(event);
    })();
    await waitFor(() => pieces.filter(({ kind }) => kind === 'text').length === 2, { what: 'two tokens' });
    fixture.control.pause('abort');
    await fixture.control.waitUntilDrained(forever());
    fixture.control.setVersion(4);
    await says(' and after');
    fixture.control.resume();
    await completion;
    const interaction = session.cache.last;
    const [first, second] = fixture.fake.calls.slice(before);
    expect([...(second?.request.promptIds ?? [])]).toEqual([
      ...(first?.request.promptIds ?? []),
      ...(first?.ids.slice(0, 2) ?? []),
    ]);
    expect([...(interaction?.sampled.ids ?? [])]).toEqual([...(first?.ids.slice(0, 2) ?? []), ...(second?.ids ?? [])]);
    expect([...(interaction?.sampled.versions ?? [])]).toEqual([3, 3, ...(second?.ids ?? []).map(() => 4)]);
    expect(interaction?.quarantine).toBeUndefined();
  });
});
