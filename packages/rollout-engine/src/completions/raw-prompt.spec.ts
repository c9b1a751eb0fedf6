import { exportTrajectories } from '@weir/rollout-core';
import {
  aCompletion,
  aSession,
  forever,
  play,
  startCompletionFixture,
  type CompletionFixture,
} from './testing/completion-fixture';

let fixture: CompletionFixture;
beforeAll(async () => {
  fixture = await startCompletionFixture('sglang');
});
afterAll(() => fixture.stop());

const raw = (rawPrompt: string | readonly number[]) =>
  aCompletion({
    protocol: 'completions',
    messages: [],
    rawPrompt: typeof rawPrompt === 'string' ? rawPrompt : Int32Array.from(rawPrompt),
    returnsTokenIds: true,
  });

/** The engine samples these ids and an end token. */
function script(...ids: readonly number[]): void {
  const end = fixture.tokenizer.endIds[0] ?? -1;
  fixture.fake.setScript(() => ({ ids: [...ids, end], finishReason: 'stop' }));
}

const lastPrompt = (): readonly number[] => fixture.fake.calls.at(-1)?.request.promptIds ?? [];

describe('a raw prompt', () => {
  it('is sent as it is, and its tokens come back with those that were sampled', async () => {
    script(104, 105);
    const session = aSession();
    const { result } = await play(fixture.runCompletion(session, raw([5, 6, 7]), forever()));

    expect(lastPrompt()).toEqual([5, 6, 7]);
    expect([...(result.tokenIds?.prompt ?? [])]).toEqual([5, 6, 7]);
    expect([...(result.tokenIds?.sampled ?? [])]).toEqual([104, 105, fixture.tokenizer.endIds[0]]);
    expect(session.cache.last).toMatchObject({ continuity: { kind: 'root' }, protocol: 'completions' });
  });

  it('continues the path whose tokens it begins with, so that both answers are one row', async () => {
    const session = aSession();
    script(104);
    const { result: first } = await play(fixture.runCompletion(session, raw([5, 6]), forever()));
    script(105);
    const path = [5, 6, ...(first.tokenIds?.sampled ?? [])];
    await play(fixture.runCompletion(session, raw([...path, 8]), forever()));
    await play(fixture.runCompletion(session, raw(path), forever()));

    const [, second, third] = [...session.cache];
    expect(second).toMatchObject({ inheritedTokens: path.length, continuity: { kind: 'continued' } });
    expect(third).toMatchObject({ parent: second?.parent, newMessages: [] });
    const { report } = exportTrajectories(session.cache, { style: 'concat' });
    expect(report).toMatchObject({ rows: 2, trainedTokens: 6 });
  });

  it('continues a conversation of messages by its tokens', async () => {
    const session = aSession();
    script(104);
    await play(fixture.runCompletion(session, aCompletion(), forever()));
    const chat = session.cache.last;
    const path = [...lastPrompt(), ...(chat?.sampled.ids ?? [])];
    await play(fixture.runCompletion(session, raw([...path, 9]), forever()));

    expect(session.cache.last).toMatchObject({ parent: chat, inheritedTokens: path.length });
  });

  it('begins anew where the tokens differ', async () => {
    const session = aSession();
    script(104);
    await play(fixture.runCompletion(session, raw([5, 6]), forever()));
    await play(fixture.runCompletion(session, raw([5, 6, 103, 8]), forever()));

    expect(session.cache.last).toMatchObject({ parent: undefined, continuity: { kind: 'root' } });
  });

  it('as a text stands for its tokens, control tokens by their names, with none added', async () => {
    const { tokenizer } = fixture;
    script(104);
    await play(fixture.runCompletion(aSession(), raw('<|im_start|>hello'), forever()));

    expect(lastPrompt()).toEqual([
      tokenizer.findId('<|im_start|>'),
      ...(await tokenizer.encode('hello', { control: false })),
    ]);
  });

  it('has an answer that is not parsed', async () => {
    const text = '<think>x</think><tool_call>{"name": "f", "arguments": {}}</tool_call>';
    script(...(await fixture.tokenizer.encode(text, { control: false })));
    const { output, result } = await play(fixture.runCompletion(aSession(), raw([5]), forever()));

    expect(output).toEqual({ role: 'assistant', content: text });
    expect(result.finishReason).toBe('stop');
  });

  it.each([
    ['no tokens', []],
    ['a token that the model does not have', [5, 100_000]],
    ['a negative token', [-1]],
  ])('is refused with %s', async (_what, ids) => {
    await expect(play(fixture.runCompletion(aSession(), raw(ids), forever()))).rejects.toMatchObject({
      code: 'invalid_request',
      reason: 'request_invalid',
    });
  });
});
