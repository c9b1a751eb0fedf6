import { AppError } from '@weir/foundation';
import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { call, end, text, tokens, oneCall } from './testing/scripted-completions';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();
const weather = { type: 'function', name: 'weather', parameters: {}, strict: false } as const;

describe('POST /responses, streamed', () => {
  it('sends the events of the protocol, numbered, that the SDK assembles to the same response', async () => {
    app.completions.play([...oneCall, ...call(1, 'weather', '{}')]);
    const stream = app.openai.responses.stream({ model: 'm', input: 'x', tools: [weather] });
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, index) => index));
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      ...contentItem('reasoning_text'),
      ...contentItem('output_text'),
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    const final = await stream.finalResponse();
    expect(final).toMatchObject({ status: 'completed', output_text: 'One moment.', usage: { total_tokens: 17 } });
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    expect(events.at(-1)).toMatchObject({ response: { output: [{}, {}, { arguments: '{"city":"Oslo"}' }, {}] } });
  });

  it('ends without the end marker of another protocol', async () => {
    const { text: raw } = await app.post('/responses', JSON.stringify({ model: 'm', input: 'x', stream: true }));
    expect(raw).not.toContain('[DONE]');
    expect(raw.startsWith('event: response.created\ndata: {"type":"response.created","sequence_number":0,')).toBe(true);
  });

  it('sends log-probabilities with their deltas', async () => {
    app.completions.play([tokens('Hel'), text('Hel'), tokens('lo.'), text('lo.')]);
    const stream = await app.openai.responses.create({
      model: 'm',
      input: 'x',
      stream: true,
      include: ['message.output_text.logprobs'],
    });
    const seen: unknown[] = [];
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') seen.push(event.logprobs);
    }
    expect(seen).toMatchObject([[{ token: 'Hel', logprob: -0.5 }], [{ token: 'lo.' }]]);
  });

  it('starts a new item when text follows a call', async () => {
    app.completions.play([text('a'), ...call(0, 'weather', '{}'), text('b')]);
    const stream = app.openai.responses.stream({ model: 'm', input: 'x', tools: [weather] });
    const { output, output_text: whole } = await stream.finalResponse();
    expect(output.map(({ type }) => type)).toEqual(['message', 'function_call', 'message']);
    expect(whole).toBe('ab');
    expect(new Set(output.map(({ id }) => id)).size).toBe(3);
  });

  it('ends a truncated answer as incomplete', async () => {
    app.completions.play([text('Hel'), end({ finishReason: 'length' })]);
    const stream = app.openai.responses.stream({ model: 'm', input: 'x' });
    const events: string[] = [];
    for await (const { type } of stream) events.push(type);
    expect(events.at(-1)).toBe('response.incomplete');
    expect((await stream.finalResponse()).incomplete_details).toEqual({ reason: 'max_output_tokens' });
  });

  it('reports a failure after the first token in the response and by an error that the SDK raises', async () => {
    app.completions.play([text('Hel'), { kind: 'fail', error: engineLost }]);
    const stream = await app.openai.responses.create({ model: 'm', input: 'x', stream: true });
    const events: ResponseStreamEvent[] = [];
    const reading = (async () => {
      for await (const event of stream) events.push(event);
    })();
    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError);
    await expect(reading).rejects.toMatchObject({ code: 'engine_lost' });
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'The engine went away.' } },
    });
  });

  it('answers a failure before the first token with a status', async () => {
    app.completions.play([{ kind: 'fail', error: engineLost }]);
    const create = app.openai.responses.create({ model: 'm', input: 'x', stream: true });
    await expect(create).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(create).rejects.toMatchObject({ status: 502 });
  });
});

const engineLost = new AppError('upstream_failed', 'The engine went away.', { reason: 'engine_lost' });

function contentItem(name: string): readonly string[] {
  return [
    'output_item.added',
    'content_part.added',
    `${name}.delta`,
    `${name}.done`,
    'content_part.done',
    'output_item.done',
  ];
}
