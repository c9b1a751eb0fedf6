import { readJsonLine } from './json-line';

it('reads the level, the message and the fields of a line', () => {
  expect(readJsonLine('{"level":"WARN","msg":"slow","ms":12,"tags":["a"]}')).toEqual({
    level: 'warning',
    message: 'slow',
    fields: [
      ['ms', '12'],
      ['tags', '["a"]'],
    ],
  });
  expect(readJsonLine('{"level":50,"message":"down"}')).toMatchObject({ level: 'error', message: 'down' });
});

it.each(['text', '[1]', '{"no":"message"}', '{"msg":1}', '{broken}'])('keeps %s unchanged', (text) => {
  expect(readJsonLine(text)).toBeUndefined();
});

it('shortens long values, and omits fields after thirty', () => {
  const fields = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, 'x'.repeat(1000)]));

  const line = readJsonLine(JSON.stringify({ msg: 'much', ...fields }));
  expect(line?.fields).toHaveLength(30);
  expect(line?.fields[0]?.[1]).toHaveLength(501);
});
