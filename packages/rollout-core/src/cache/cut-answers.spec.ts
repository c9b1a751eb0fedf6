import { exactMatching } from '../conversation/matching-presets';
import { mergeContinuations } from '../conversation/merge-continuations';
import type { Message } from '../conversation/message';
import { createInteractionCache, type InteractionCacheOptions } from './interaction-cache';
import { aDraft, assistant, user } from './testing/session-builder';

const continuation = (content: string): Message => ({ role: 'assistant', content, continues: true });

/** A session with an answer `one`, whose tokens say `one</code>`. */
function aSessionWithCutAnswer(options: InteractionCacheOptions = {}) {
  const cache = createInteractionCache(options);
  const cut = cache.add(aDraft({ newMessages: [user('Q')], output: assistant('one'), cutText: '</code>' }));
  const attach = (...messages: readonly Message[]) =>
    cache.attach({ messages: [user('Q'), ...messages], contextKey: 'tools' });
  return { cache, cut, attach };
}

describe('a message that begins with the text of an answer and its stop string', () => {
  it('is that answer and a continuation', () => {
    const { cut, attach } = aSessionWithCutAnswer();
    const { parent, newMessages, mismatch } = attach(assistant('one</code>\nmore'), user('Seen.'));

    expect(parent).toBe(cut);
    expect(newMessages).toEqual([continuation('</code>\nmore'), user('Seen.')]);
    expect(mergeContinuations([cut.output, ...newMessages])).toEqual([assistant('one</code>\nmore'), user('Seen.')]);
    expect(mismatch).toBeUndefined();
  });

  it('is only that answer if nothing follows the stop string', () => {
    const { cut, attach } = aSessionWithCutAnswer();

    expect(attach(assistant('one</code>'), user('Seen.'))).toMatchObject({ parent: cut, newMessages: [user('Seen.')] });
  });

  it('stays the same path in later calls', () => {
    const { cache, cut, attach } = aSessionWithCutAnswer();
    const first = [assistant('one</code>\nmore'), user('Seen.')];
    const { newMessages } = attach(...first);
    const second = cache.add(aDraft({ parent: cut, newMessages, output: assistant('two'), cutText: '</code>' }));

    expect(attach(...first, assistant('two</code> and'), user('Go on.'))).toMatchObject({
      parent: second,
      newMessages: [continuation('</code> and'), user('Go on.')],
      matchedMessages: second.pathMessages,
    });
    expect(attach(assistant('one</code>\nless'), user('Seen.')).newMessages).toEqual([
      continuation('</code>\nless'),
      user('Seen.'),
    ]);
  });

  it('is the answer that was sampled this way, if there is one', () => {
    const { cache, attach } = aSessionWithCutAnswer();
    const whole = cache.add(aDraft({ newMessages: [user('Q')], output: assistant('one</code> x') }));

    expect(attach(assistant('one</code> x'), user('Seen.'))).toMatchObject({
      parent: whole,
      newMessages: [user('Seen.')],
    });
  });

  it('is the answer that matches most of it', () => {
    const { cache, attach } = aSessionWithCutAnswer();
    const output = assistant('one</code>\ntwo');
    const longer = cache.add(aDraft({ newMessages: [user('Q')], output, cutText: '</code>' }));
    cache.add(aDraft({ newMessages: [user('Q')], output: assistant('o'), cutText: 'ne' }));

    expect(attach(assistant('one</code>\ntwo</code> x'), user('Seen.')).parent).toBe(longer);
  });
});

it.each([
  ['another text', [assistant('two</code>'), user('Seen.')]],
  ['no stop string', [assistant('one and more'), user('Seen.')]],
  ['tool calls', [assistant('one</code> x', { toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] }), user('Seen.')]],
  ['another role', [user('one</code> x'), user('Seen.')]],
  ['another message before it', [user('More.'), assistant('one</code> x'), user('Seen.')]],
])('a message with %s is a separate message', (_what, messages) => {
  const { attach } = aSessionWithCutAnswer();

  expect(attach(...messages)).toMatchObject({ parent: undefined, newMessages: [user('Q'), ...messages] });
});

it('a message that follows the answer is not a continuation', () => {
  const { cache, cut, attach } = aSessionWithCutAnswer();
  const { newMessages } = attach(assistant('one</code> x'), user('Seen.'));
  cache.add(aDraft({ parent: cut, newMessages, output: assistant('two') }));
  const apart = [assistant('one'), assistant('</code> x'), user('Seen.'), assistant('two'), user('Go on.')];

  expect(attach(...apart)).toMatchObject({ parent: cut, newMessages: apart.slice(1) });
});

it.each([
  ['is ignored', {}, true],
  ['counts where every byte does', { matching: exactMatching }, false],
])('white space at the end of the tokens %s', (_how, options, isSame) => {
  const cache = createInteractionCache(options);
  const cut = cache.add(aDraft({ newMessages: [user('Q')], output: assistant('one'), cutText: '</code>\n' }));
  const messages = [user('Q'), assistant('one</code>'), user('Seen.')];

  expect(cache.attach({ messages, contextKey: 'tools' }).parent).toBe(isSame ? cut : undefined);
});
