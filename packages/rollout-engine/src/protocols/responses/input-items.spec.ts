import type { Message } from '@weir/rollout-core';
import type { Conversations } from '../model-protocol';
import { readItems } from './input-items';
import { itemId, readItemId } from './item-id';

const nothing: Conversations = { findConversation: () => undefined };
const call = (id: string, more = {}) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}', ...more });
const said = (content: string, more = {}) => ({ type: 'message', role: 'assistant', content, ...more });
const toolCall = (id: string) => ({ id, name: 'f', arguments: '{}' });

describe('readItems', () => {
  it.each<[string, readonly object[], readonly Message[]]>([
    [
      'keeps answers apart that have no ids',
      [said('a'), said('b')],
      [
        { role: 'assistant', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    ],
    [
      'joins calls to the text before them',
      [said('a'), call('1'), call('2')],
      [{ role: 'assistant', content: 'a', toolCalls: [toolCall('1'), toolCall('2')] }],
    ],
    [
      'joins texts of one turn around a call',
      [said('a', { id: 'msg_t_0' }), call('1', { id: 'fc_t_0' }), said('b', { id: 'msg_t_1' })],
      [{ role: 'assistant', content: 'ab', toolCalls: [toolCall('1')] }],
    ],
    [
      'keeps two turns apart by their ids',
      [call('1', { id: 'fc_t_0' }), call('2', { id: 'fc_u_0' })],
      [
        { role: 'assistant', content: '', toolCalls: [toolCall('1')] },
        { role: 'assistant', content: '', toolCalls: [toolCall('2')] },
      ],
    ],
    [
      'begins another answer with a thought',
      [said('a'), { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }, said('b')],
      [
        { role: 'assistant', content: 'a' },
        { role: 'assistant', content: 'b', reasoning: 'Hm.' },
      ],
    ],
    [
      'prefers the text of a thought to its summary',
      [
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'Short.' }],
          content: [{ type: 'reasoning_text', text: 'Long.' }],
        },
      ],
      [{ role: 'assistant', content: '', reasoning: 'Long.' }],
    ],
    [
      'ends an answer with a result',
      [call('1'), { type: 'function_call_output', call_id: '1', output: 'x' }, call('2')],
      [
        { role: 'assistant', content: '', toolCalls: [toolCall('1')] },
        { role: 'tool', content: 'x', toolCallId: '1' },
        { role: 'assistant', content: '', toolCalls: [toolCall('2')] },
      ],
    ],
    [
      'joins calls of one answer around a result',
      [
        call('1', { id: 'fc_t_0' }),
        { type: 'function_call_output', call_id: '1', output: 'x' },
        call('2', { id: 'fc_t_1' }),
        { type: 'function_call_output', call_id: '2', output: 'y' },
      ],
      [
        { role: 'assistant', content: '', toolCalls: [toolCall('1'), toolCall('2')] },
        { role: 'tool', content: 'x', toolCallId: '1' },
        { role: 'tool', content: 'y', toolCallId: '2' },
      ],
    ],
  ])('%s', (_case, items, expected) => {
    expect(readItems(items as never, nothing)).toEqual(expected);
  });
});

describe('item ids', () => {
  it.each(['reasoning', 'message', 'function_call'] as const)('contain completion, kind and number of a %s', (kind) => {
    expect(readItemId(itemId('resp_a_b', kind, 3))).toEqual({ responseId: 'resp_a_b', kind, number: 3 });
  });

  it.each(['msg_', 'msg_1', 'xx_a_0', 'msg_a_x', '', undefined, 7])('do not accept %j as one', (id) => {
    expect(readItemId(id)).toBeUndefined();
  });
});
