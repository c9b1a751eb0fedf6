import { expertId, promptLogprob } from '@weir/fake-engine';
import { aSession, aCompletion, forever, play } from './testing/completion-fixture';
import { add, useCompletionFixture } from './testing/use-completion-fixture';

const bytes = (text: string): readonly number[] => [...Buffer.from(text)];

describe('a completion', () => {
  const fixture = useCompletionFixture();
  const { start, endId, says, lastPrompt } = fixture;

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

  it('answers a call that is not to be recorded, and stores nothing', async () => {
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

  it('is not trained on if the engine cannot prove what it samples', async () => {
    await start('vllm', { engine: { script: () => ({ ids: [65, 66], faults: { logprobs: 'missing' } }) } });
    await says('all is well now');
    const session = aSession();
    const { id, output } = await play(fixture.runCompletion(session, aCompletion(), forever()));
    expect([output.content, session.cache.get(id)?.quarantine]).toEqual(['all is well now', 'engine_capture_only']);
  });

  it('is refused before it begins if the engine cannot enforce the named tool', async () => {
    await start('llama-cpp', { engine: { refusesGrammar: true } });
    const session = aSession();
    const request = aCompletion({ tools: [add], toolChoice: { kind: 'named', name: 'add' } });
    const refused = play(fixture.runCompletion(session, request, forever()));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', reason: 'parameter_not_supported' });
    expect([session.cache.size, session.runningCompletions]).toEqual([0, 0]);
  });

  it.each(['sglang', 'vllm', 'vllm-generate', 'llama-cpp'] as const)(
    'keeps the likeliest tokens of %s that are to be recorded, and shows those that were asked for',
    async (dialect) => {
      await start(dialect);
      await says('hi');
      const session = { ...aSession(), recording: { topLogprobs: 3 } };
      const request = aCompletion({ topLogprobs: 1 });
      const { id, events } = await play(fixture.runCompletion(session, request, forever()));
      const { ids, logprobs } = fixture.fake.calls.at(-1) ?? { ids: [], logprobs: [] };
      expect(session.cache.get(id)?.sampled.top).toEqual({
        count: 3,
        ids: Int32Array.from([...ids].flatMap((token) => [token, token + 1, token + 2])),
        logprobs: Float32Array.from([...logprobs].flatMap((value) => [value, value - 1, value - 2])),
      });
      const shown = events.flatMap((event) => (event.kind === 'tokens' ? event.tokens : []));
      expect(shown.map(({ top }) => top.length)).toEqual([1, 1]);
    },
  );

  it('keeps what the call asks for before what its session asks for', async () => {
    await start('sglang');
    await says('hi');
    const session = { ...aSession(), recording: { topLogprobs: 3 } };
    const request = aCompletion({ recording: { topLogprobs: 0 } });
    const { id } = await play(fixture.runCompletion(session, request, forever()));
    expect(session.cache.get(id)?.sampled).not.toHaveProperty('top');
    expect(fixture.fake.calls.at(-1)?.request.topLogprobs).toBe(0);
  });

  it('is not trained on if the engine does not report the likeliest tokens that are to be kept', async () => {
    await start('sglang');
    fixture.fake.setScript(() => ({ ids: [...bytes('hi'), endId()], faults: { topLogprobs: 'missing' } }));
    const session = { ...aSession(), recording: { topLogprobs: 2 } };
    const { id } = await play(fixture.runCompletion(session, aCompletion(), forever()));
    expect(session.cache.get(id)?.quarantine).toBe('top_logprobs_missing');
  });

  describe.each(['sglang', 'vllm', 'vllm-generate'] as const)(
    'the log-probabilities of the prompt by %s',
    (dialect) => {
      const session = () => ({ ...aSession(), recording: { promptLogprobs: true } });
      const expected = (ids: readonly number[], from: number) =>
        Float32Array.from(ids.slice(from), (id, at) => (from + at === 0 ? 0 : promptLogprob(id, from + at)));

      it('are kept for its new tokens', async () => {
        await start(dialect);
        await says('hi');
        const one = session();
        const first = await play(fixture.runCompletion(one, aCompletion(), forever()));
        expect(one.cache.get(first.id)?.contextLogprobs).toEqual(expected(lastPrompt(), 0));
        const messages = [...aCompletion().messages, first.output, { role: 'user' as const, content: 'go on' }];
        const second = await play(fixture.runCompletion(one, aCompletion({ messages }), forever()));
        const { inheritedTokens, contextLogprobs } = one.cache.get(second.id) ?? {};
        expect(contextLogprobs).toEqual(expected(lastPrompt(), inheritedTokens ?? 0));
      });

      it.each(['short', 'other'] as const)('that are %s keep the call from training', async (scores) => {
        await start(dialect);
        fixture.fake.setScript(() => ({ ids: [...bytes('hi'), endId()], faults: { scores } }));
        const one = session();
        const { id, output } = await play(fixture.runCompletion(one, aCompletion(), forever()));
        expect([output.content, one.cache.get(id)?.quarantine]).toEqual(['hi', 'prompt_logprobs_invalid']);
      });
    },
  );

  describe.each(['sglang', 'vllm-generate'] as const)('the sampling mask of %s', (dialect) => {
    const session = () => ({ ...aSession(), recording: { samplingMask: true } });
    const cut = { sampling: { topK: 8, topP: 0.9 } };

    it('is kept for each token, and has no ids where nothing was cut off', async () => {
      await start(dialect, { engine: { hasSamplingMask: true } });
      await says('hi');
      const one = session();
      const { id } = await play(fixture.runCompletion(one, aCompletion(cut), forever()));
      const ids = [...(fixture.fake.calls.at(-1)?.ids ?? [])];
      expect(one.cache.get(id)?.sampled.mask).toEqual({
        lengths: new Int32Array(ids.length).fill(2),
        ids: Int32Array.from(ids.flatMap((token) => [token, token + 1])),
      });
      const whole = await play(fixture.runCompletion(one, aCompletion({ sampling: { topP: 1 } }), forever()));
      expect(one.cache.get(whole.id)?.sampled.mask).toEqual({
        lengths: new Int32Array(ids.length),
        ids: new Int32Array(0),
      });
    });

    it.each([
      ['missing', 'sampling_mask_missing'],
      ['other', 'sampling_mask_invalid'],
    ] as const)('that is %s keeps the call from training', async (samplingMask, quarantine) => {
      await start(dialect, { engine: { hasSamplingMask: true } });
      fixture.fake.setScript(() => ({ ids: [...bytes('hi'), endId()], faults: { samplingMask } }));
      const one = session();
      const { id, output } = await play(fixture.runCompletion(one, aCompletion(cut), forever()));
      expect([output.content, one.cache.get(id)?.quarantine]).toEqual(['hi', quarantine]);
    });

    it('is refused with cut-offs that do not bound it', async () => {
      await start(dialect, { engine: { hasSamplingMask: true } });
      const request = aCompletion({ sampling: { topP: 0.9 } });
      const refused = play(fixture.runCompletion(session(), request, forever()));
      await expect(refused).rejects.toMatchObject({ reason: 'sampling_mask_unbounded' });
    });
  });

  it('is refused the sampling mask of an engine that reports none', async () => {
    await start('vllm');
    const request = aCompletion({ recording: { samplingMask: true }, sampling: { topK: 4 } });
    const refused = play(fixture.runCompletion(aSession(), request, forever()));
    await expect(refused).rejects.toMatchObject({ reason: 'parameter_not_supported' });
  });

  it('is refused the log-probabilities of its prompt by an engine that reports none', async () => {
    await start('llama-cpp');
    const request = aCompletion({ recording: { promptLogprobs: true } });
    const refused = play(fixture.runCompletion(aSession(), request, forever()));
    await expect(refused).rejects.toMatchObject({ reason: 'parameter_not_supported' });
  });

  describe.each(['sglang', 'vllm', 'vllm-generate'] as const)('the experts of %s', (dialect) => {
    const experts = { layers: 2, perToken: 2 };
    const rows = (from: number, to: number) =>
      Array.from({ length: (to - from) * 4 }, (_value, at) =>
        expertId(from + Math.floor(at / 4), Math.floor((at % 4) / 2), at % 2),
      );
    const session = () => ({ ...aSession(), recording: { routedExperts: true } });

    it('are kept for each token that was read, and asked for from where the path has none', async () => {
      await start(dialect, { engine: { experts } });
      await says('hi');
      const one = session();
      const first = await play(fixture.runCompletion(one, aCompletion(), forever()));
      const length = lastPrompt().length + 3;
      expect(one.cache.get(first.id)?.routedExperts).toEqual({
        ...experts,
        from: 0,
        ids: Int16Array.from(rows(0, length - 1)),
      });
      const messages = [...aCompletion().messages, first.output, { role: 'user' as const, content: 'go on' }];
      const second = await play(fixture.runCompletion(one, aCompletion({ messages }), forever()));
      const end = lastPrompt().length + 3;
      expect(one.cache.get(second.id)?.routedExperts).toEqual({
        ...experts,
        from: length - 1,
        ids: Int16Array.from(rows(length - 1, end - 1)),
      });
    });

    it.each(['missing', 'short'] as const)('that are %s keep the call from training', async (fault) => {
      await start(dialect, { engine: { experts } });
      fixture.fake.setScript(() => ({ ids: [...bytes('hi'), endId()], faults: { experts: fault } }));
      const one = session();
      const { id, output } = await play(fixture.runCompletion(one, aCompletion(), forever()));
      expect(output.content).toBe('hi');
      expect(one.cache.get(id)?.quarantine).toMatch(/^routed_experts_(missing|invalid)$/);
    });

    it('are refused where their shape is not configured', async () => {
      await start(dialect);
      const refused = play(fixture.runCompletion(session(), aCompletion(), forever()));
      await expect(refused).rejects.toMatchObject({ code: 'invalid_request', reason: 'experts_not_configured' });
    });

    it('are neither asked for nor kept unless they are wanted', async () => {
      await start(dialect, { engine: { experts } });
      await says('hi');
      const one = aSession();
      const { id } = await play(fixture.runCompletion(one, aCompletion(), forever()));
      expect(one.cache.get(id)).not.toHaveProperty('routedExperts');
      expect(JSON.stringify(fixture.fake.calls.at(-1)?.request.body)).not.toContain('experts');
    });
  });

  it('is refused the experts of an engine that reports none', async () => {
    await start('llama-cpp', { engine: { experts: { layers: 1, perToken: 1 } } });
    const session = { ...aSession(), recording: { routedExperts: true } };
    const refused = play(fixture.runCompletion(session, aCompletion(), forever()));
    await expect(refused).rejects.toMatchObject({ reason: 'parameter_not_supported' });
  });

  it('is recorded with the provenance of its tokens', async () => {
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
});
