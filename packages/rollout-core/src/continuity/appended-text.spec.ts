import type { Message } from '../conversation/message';
import { appendedText } from './appended-text';
import { detectFamily } from '../families/detect-family';
import { createPlaceholderExchange } from './placeholder-exchange';

const family = detectFamily({ chatTemplate: '', hasToken: () => false, endTokens: ['<end>'] });
const answer: Message = { role: 'assistant', content: 'x' };
const user: Message = { role: 'user', content: 'more' };
const placeholder = createPlaceholderExchange({ marker: 'm', answer, hasReasoning: true, newMessages: [user] });

const compare = (question: string, base: string, extended: string) =>
  appendedText({ placeholder, family, question, base, extended });

describe('appendedText', () => {
  it.each([
    ['that never shows a thought', 'Q>', 'Q>manswer<end>', 'Q>manswer<end>more>', true],
    [
      'with a thought that stays',
      'Q>',
      'Q><think>mthought</think>manswer<end>',
      'Q><think>mthought</think>manswer<end>more>',
      false,
    ],
    [
      'with a thought that goes',
      'Q>',
      'Q>\n<think>\nmthought\n</think>\n\nmanswer<end>',
      'Q>\nmanswer<end>more>',
      true,
    ],
    [
      'with a thought that the prompt opens',
      'Q>\n<think>\n',
      'Q>\n<think>\nmthought\n</think>manswer<end>',
      'Q>\nmanswer<end>more>',
      true,
    ],
    [
      'with a thought that the prompt ends',
      'Q></think>',
      'Q></think>manswer<end>',
      'Q></think>manswer<end>more>',
      true,
    ],
    [
      'with the close of a thought that is omitted',
      'Q><think>',
      'Q><think>mthought</think>manswer<end>',
      'Q></think>manswer<end>more>',
      true,
    ],
  ])('finds the text added to a conversation %s', (_, question, base, extended, dropsReasoning) => {
    expect(compare(question, base, extended)).toEqual({ kind: 'appended', text: '<end>more>', dropsReasoning });
  });

  it('drops no thought where there is none', () => {
    const plain = createPlaceholderExchange({ marker: 'm', answer, hasReasoning: false, newMessages: [user] });
    const texts = { question: 'Q>', base: 'Q>manswer<end>', extended: 'Q>manswer<end>more>' };
    expect(appendedText({ placeholder: plain, family, ...texts })).toMatchObject({ dropsReasoning: false });
  });

  it('finds it after calls whose reasoning the template omits', () => {
    const result: Message = { role: 'tool', content: 'rain', toolCallId: 'c' };
    const calling = createPlaceholderExchange({ marker: 'm', answer, hasReasoning: false, newMessages: [result] });
    expect(
      appendedText({
        placeholder: calling,
        family,
        question: 'Q>\n',
        base: 'Q>\n<think>\n\n</think>\n\n<call>margument"}</call><end>\n',
        extended: 'Q>\n<call>margument"}</call><end>\nrain>',
      }),
    ).toEqual({ kind: 'appended', text: '<end>\nrain>', dropsReasoning: false });
  });

  it.each([
    ['changes what came before', 'Q>', 'Q>manswer', 'R>manswer'],
    ['leaves the answer out', 'Q>', 'Q>', 'Q>more>'],
    ['moves a string behind the newest question', 'tools Q>', 'Q>manswer', 'Q>manswer tools more>'],
  ])('detects that a template %s', (_, question, base, extended) => {
    expect(compare(question, base, extended)).toEqual({ kind: 'not_append_only' });
  });
});

describe('createPlaceholderExchange', () => {
  const result: Message = { role: 'tool', content: 'rain', toolCallId: 'c2', name: 'weather' };

  it('creates the calls that the new results answer', () => {
    const asked: Message = {
      ...answer,
      toolCalls: [
        { id: 'c1', name: 'time', arguments: '{"a":1}' },
        { id: 'c2', name: 'weather', arguments: '{}' },
      ],
    };
    const { messages, carriesCalls } = createPlaceholderExchange({
      marker: 'm',
      answer: asked,
      hasReasoning: false,
      newMessages: [result],
    });
    expect(carriesCalls).toBe(true);
    expect(messages[1]?.toolCalls).toEqual([
      { id: 'c1', name: 'time', arguments: '{}' },
      { id: 'c2', name: 'weather', arguments: '{"value":"margument"}' },
    ]);
  });

  it('creates a call for each result if the answer has no known calls', () => {
    const { messages } = createPlaceholderExchange({
      marker: 'm',
      answer,
      hasReasoning: false,
      newMessages: [result, user],
    });
    expect(messages[1]?.toolCalls).toMatchObject([{ id: 'c2', name: 'weather' }]);
  });
});
