import { answer, functionCall, functionResponse, streamed, tools, unary, user, body } from './testing/google-requests';
import { call } from './testing/scripted-completions';
import { useProtocolApp } from './testing/use-protocol-app';

const app = useProtocolApp();
const last = () => app.completions.last.request;

async function read(contents: readonly object[]) {
  const { status, text: raw } = await app.post(unary, JSON.stringify({ contents }));
  expect([status, status === 200 ? '' : raw]).toEqual([200, '']);
  return last().messages;
}

describe('contents', () => {
  it('of the model that follow each other are one answer', async () => {
    const read1 = await read([
      user({ text: 'Hi' }),
      answer({ text: 'Hel' }),
      answer({ text: 'lo.' }, functionCall('f')),
      answer({ text: '' }),
      user(functionResponse('f', 'x')),
    ]);
    expect(read1.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(read1[1]).toMatchObject({ content: 'Hello.', toolCalls: [{ name: 'f', arguments: '{}' }] });
  });

  it('link results without ids to the calls of their name, and put them into the order of the calls', async () => {
    const [, calls, ...results] = await read([
      user({ text: 'Hi' }),
      answer(functionCall('f', { args: { a: 1 } }), functionCall('g'), functionCall('f', { args: { a: 2 } })),
      { role: 'function', parts: [functionResponse('g', 'of g')] },
      { role: 'tool', parts: [functionResponse('f', 'of 1'), functionResponse('f', 'of 2')] },
    ]);
    const ids = calls?.toolCalls?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(3);
    expect(results.map(({ toolCallId, content }) => [toolCallId, content])).toEqual([
      [ids[0], 'of 1'],
      [ids[1], 'of g'],
      [ids[2], 'of 2'],
    ]);
  });

  it('put results into the order of the calls that their ids name', async () => {
    const messages = await read([
      user({ text: 'Hi' }),
      answer(functionCall('f', { id: 'a' }), functionCall('f', { id: 'b' })),
      user(functionResponse('f', 'of b', { id: 'b' }), functionResponse('f', 'of a', { id: 'a' })),
    ]);
    expect(messages.slice(2).map(({ content }) => content)).toEqual(['of a', 'of b']);
  });

  it('do not give a call that has its result by id to one without', async () => {
    const messages = await read([
      user({ text: 'Hi' }),
      answer(functionCall('f', { id: 'a' }), functionCall('f', { id: 'b' })),
      user(functionResponse('f', 'x', { id: 'a' }), functionResponse('f', 'y')),
    ]);
    expect(messages.slice(2).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
  });

  it.each([
    [{ output: 'Rain.' }, 'Rain.'],
    [{ result: 'Rain.' }, 'Rain.'],
    [{ output: { sky: 'grey' } }, '{"output":{"sky":"grey"}}'],
    [{ error: 'No.' }, '{"error":"No."}'],
    [{ output: 'Rain.', more: 1 }, '{"output":"Rain.","more":1}'],
    [{}, '{}'],
  ])('put the result %j into the prompt', async (response, content) => {
    const messages = await read([
      user({ text: 'Hi' }),
      answer(functionCall('f')),
      user({ functionResponse: { name: 'f', response } }),
    ]);
    expect(messages.at(-1)?.content).toBe(content);
  });

  it('keep all digits of arguments, to the client and back', async () => {
    const args = '{"id":12345678901234567890,"x":1.0}';
    app.completions.play(call(0, 'weather', args));
    for (const address of [unary, streamed]) {
      const { text: raw } = await app.post(address, JSON.stringify({ ...body, tools }));
      expect(raw).toContain(`"args":${args.replace('1.0', '1')}`);
    }
    const sent = `{"functionCall":{"name":"weather","args":${args}}}`;
    const next = `{"role":"model","parts":[${sent}]},{"parts":[{"text":"Go on."}]}`;
    await app.post(unary, `{"contents":[{"parts":[{"text":"Hi"}]},${next}]}`);
    expect(last().messages[1]?.toolCalls?.[0]?.arguments).toContain('12345678901234567890');
  });
});
