import { readEvents } from './read-events';

const event = { specversion: '1.0', id: '1', source: '/shop', type: 'order.created' };
const json = { 'content-type': 'application/json' };
const structured = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
const batched = { 'content-type': 'application/cloudevents-batch+json' };
const binary = { ...json, 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/shop', 'ce-type': 'order.created' };

describe('events of a request', () => {
  it.each([
    ['one event', structured, { ...event, data: [1] }, [{ ...event, data: [1] }]],
    ['one event as plain JSON', json, { ...event, subject: 's' }, [{ ...event, subject: 's' }]],
    ['several events', batched, [event, { ...event, id: '2' }], [event, { ...event, id: '2' }]],
    ['no events', batched, [], []],
    [
      'an event in headers, with its data',
      { ...binary, 'ce-subject': 'caf%C3%A9' },
      { total: 3 },
      [{ ...event, subject: 'café', datacontenttype: 'application/json', data: { total: 3 } }],
    ],
    ['an event in headers without data', binary, undefined, [event]],
  ])('are read: %s', (_what, headers, body, expected) => {
    expect(readEvents(headers, body)).toEqual(expected);
  });

  it.each([
    ['another version', structured, { ...event, specversion: '0.3' }, 'body.specversion'],
    ['no id', structured, { ...event, id: '' }, 'body.id'],
    ['no type in headers', { ...binary, 'ce-type': undefined }, {}, 'ce-type'],
    ['a number', structured, 3, 'body: '],
    ['one bad event of several', batched, [event, { ...event, source: 1 }], 'body.1.source'],
    ['too many', batched, Array.from({ length: 51 }, () => event), 'a request may have 50 events'],
  ])('are refused: %s', (_what, headers, body, message) => {
    expect(() => readEvents(headers, body)).toThrow(new RegExp(message.replaceAll('.', '\\.'), 'i'));
  });
});
