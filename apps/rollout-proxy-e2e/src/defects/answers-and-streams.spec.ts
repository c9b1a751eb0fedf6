import { waitFor } from '@weir/test-kit';
import { endId, toByteIds, toText } from '../support/byte-tokenizer';
import { readJsonRows, sum } from '../support/exported-rows';
import { saying } from '../support/fake-setting';
import { hello, readContent, readFinishReason, useDefects } from './testing/use-defects';

jest.setTimeout(60_000);

describe('defects of similar services', () => {
  const inUse = useDefects();
  const { request, detail } = inUse;

  it('answers a call that a stop string ended, and keeps the tokens that were sampled', async () => {
    inUse.setting.answers(saying('one STOP two'));
    const answer = await inUse.episode.chat({ ...hello, stop: ['STOP'] });
    expect([answer.status, readContent(answer)?.content, readFinishReason(answer)]).toEqual([200, 'one ', 'stop']);
    await inUse.episode.end();
    const [row] = readJsonRows(await inUse.episode.exported());
    expect(row && toText(row.ids.slice(-sum(row.mask)))).toMatch(/^one STOP/);
  });

  it('answers a call whose only token is the end', async () => {
    inUse.setting.answers(saying(''));
    const answer = await inUse.episode.chat(hello);
    expect([answer.status, readContent(answer)?.content, readFinishReason(answer)]).toEqual([200, '', 'stop']);
    await inUse.episode.end();
    const [row] = readJsonRows(await inUse.episode.exported());
    expect(row?.ids.at(-1)).toBe(endId);
    expect(sum(row?.mask ?? [])).toBe(1);
  });

  describe('responses', () => {
    it('answers without tools', async () => {
      const answer = await inUse.episode.openai().responses.create({ model: 'm', input: 'hello' });
      expect(answer.output_text).toBe('fine');
    });

    it('continues a named answer with its exact tokens', async () => {
      const ids = [...toByteIds('half '), 200, endId];
      inUse.setting.answers({ ids });
      const { responses } = inUse.episode.openai();
      const first = await responses.create({ model: 'm', input: 'hello' });
      await responses.create({ model: 'm', input: 'and on', previous_response_id: first.id });
      const [before, after] = inUse.setting.calls();
      const tokens = [...(before?.request.promptIds ?? []), ...ids];
      expect(after?.request.promptIds.slice(0, tokens.length)).toEqual(tokens);
    });

    it('answers with tools in their flat form', async () => {
      inUse.setting.answers('<tool_call>\n{"name": "add", "arguments": {"a": 2}}\n</tool_call>');
      const parameters = { type: 'object', properties: { a: { type: 'integer' } } };
      const tool = { type: 'function' as const, name: 'add', parameters, strict: false };
      const answer = await inUse.episode.openai().responses.create({ model: 'm', input: 'hello', tools: [tool] });
      expect(answer.output).toMatchObject([{ type: 'function_call', name: 'add', arguments: '{"a": 2}' }]);
    });

    it('streams', async () => {
      const stream = inUse.episode.openai().responses.stream({ model: 'm', input: 'hello' });
      const deltas: string[] = [];
      stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
      expect((await stream.finalResponse()).output_text).toBe('fine');
      expect(deltas).toEqual(['f', 'i', 'n', 'e']);
    });
  });

  describe('a stream', () => {
    const streamed = { ...hello, stream: true };
    const open = async (signal?: AbortSignal) => {
      const response = await fetch(`${inUse.setting.proxy.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${inUse.episode.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', ...streamed }),
        signal: signal ?? AbortSignal.timeout(20_000),
      });
      if (response.body === null) throw new Error('The answer has no body.');
      return { response, reader: response.body.pipeThrough(new TextDecoderStream()).getReader() };
    };

    it('sends the first token while the engine still generates the second', async () => {
      inUse.setting.answers(saying('ab', { faults: { holdAfterTokens: 1 } }));
      const { reader } = await open();
      let text = '';
      while (!text.includes('"content":"a"')) text += (await reader.read()).value ?? '';
      expect(text).not.toContain('"content":"b"');
      await waitFor(() => inUse.setting.engine.heldCount() === 1, { what: 'the engine to hold its answer' });
      inUse.setting.engine.release();
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      expect(text).toContain('[DONE]');
    });

    it('shows that it is alive while the engine still reads the prompt', async () => {
      inUse.setting.answers(saying('late', { faults: { isHeld: true } }));
      const { response, reader } = await open();
      expect(response.status).toBe(200);
      expect((await reader.read()).value).toMatch(/^data: .*"role":"assistant"|^: keep-alive/);
      await waitFor(() => inUse.setting.engine.heldCount() === 1, { what: 'the engine to hold its answer' });
      inUse.setting.engine.release();
      let text = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      expect(text).toContain('[DONE]');
    });

    it('aborts the call at the engine when its client disconnects, and records nothing', async () => {
      inUse.setting.answers(saying('ab', { faults: { holdAfterTokens: 1 } }));
      const aborting = new AbortController();
      const { reader } = await open(aborting.signal);
      await reader.read();
      aborting.abort();
      await waitFor(() => inUse.setting.calls()[0]?.isDisconnected === true, { what: 'the engine to be left' });
      await waitFor(async () => (await detail()).turns_under_way === 0, { what: 'the turn to be over' });
      expect(await inUse.episode.end()).toBe(0);
    });

    it('is an error with a status of its own when the engine fails before the first token', async () => {
      inUse.setting.answers({ ids: [], faults: { status: 500 } });
      const { response } = await open();
      expect(response.status).toBe(502);
    });

    it('reports an engine that fails in the middle, and does not end like a complete answer', async () => {
      inUse.setting.answers(saying('abcdef', { faults: { resetAfterTokens: 2 } }));
      const { response, reader } = await open();
      let text = '';
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      expect(response.status).toBe(200);
      expect(text).toMatch(/data: \{"error":\{/);
      expect(text).not.toMatch(/"finish_reason":"/);
      expect(await inUse.episode.end()).toBe(0);
    });

    it('raises an error in the official SDK in this case', async () => {
      inUse.setting.answers(saying('abcdef', { faults: { resetAfterTokens: 2 } }));
      const stream = inUse.episode
        .openai()
        .chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
      await expect(stream.finalChatCompletion()).rejects.toThrow();
    });
  });

  it('aborts the call at the engine when a client without streaming disconnects', async () => {
    inUse.setting.answers(saying('ab', { faults: { isHeld: true } }));
    const aborting = new AbortController();
    const body = { model: 'm', ...hello };
    const disconnected = request('/v1/chat/completions', {
      key: inUse.episode.key,
      body,
      signal: aborting.signal,
    }).catch(() => 'left');
    await waitFor(() => inUse.setting.calls().length === 1, { what: 'the engine to be asked' });
    aborting.abort();
    expect(await disconnected).toBe('left');
    await waitFor(() => inUse.setting.calls()[0]?.isDisconnected === true, { what: 'the engine to be left' });
  });

  it('does not report tool calls if the call cannot be read', async () => {
    inUse.setting.answers('<tool_call>\n{"name": "add", "arguments": {"a": \n</tool_call>');
    const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];
    const answer = await inUse.episode.chat({ ...hello, tools });
    expect([answer.status, readFinishReason(answer)]).toEqual([200, 'stop']);
    expect(readContent(answer)).not.toHaveProperty('tool_calls');
  });
});
