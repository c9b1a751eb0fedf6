import { compileChatTemplate } from './chat-template';
import { parseJsonValue } from './json-value';
import { plainValue } from './template-value';

const now = () => new Date('2026-11-21T09:05:07Z');

const render = (source: string, data: Readonly<Record<string, unknown>> = {}, json?: string) => {
  const variables = new Map(Object.entries(data).map(([name, value]) => [name, plainValue(value)]));
  const value = json === undefined ? undefined : parseJsonValue(json);
  if (value !== undefined) variables.set('json', value);
  return compileChatTemplate(source, now).render(variables);
};

describe('compileChatTemplate', () => {
  it.each([
    [
      'prints truth values by their Python names',
      '{{ a }} {{ b|string }} {{ a ~ "" }}',
      { a: true, b: false },
      'True False True',
    ],
    ['prints null as None', '{{ a }}|{{ a|string }}|{{ a|trim }}|{{ a ~ "x" }}', { a: null }, 'None|None|None|Nonex'],
    ['prints nothing for what is not defined', '[{{ a }}][{{ a ~ "x" }}]', {}, '[][x]'],
    [
      'prints lists as Python does',
      '{{ a }}',
      { a: ['x', "it's", 1, null, true, ['y']] },
      `['x', "it's", 1, None, True, ['y']]`,
    ],
    ['prints objects as Python does', '{{ a }}', { a: { k: 'v\n', n: 0.5 } }, String.raw`{'k': 'v\n', 'n': 0.5}`],
    [
      'writes JSON with the separators of Python and no HTML escapes',
      '{{ a|tojson }}',
      { a: { k: ['<é>', 1, true, null] } },
      '{"k": ["<é>", 1, true, null]}',
    ],
    [
      'writes JSON with an indent',
      '{{ a|tojson(indent=2) }}',
      { a: { k: [1], e: {} } },
      '{\n  "k": [\n    1\n  ],\n  "e": {}\n}',
    ],
    [
      'writes JSON as ASCII on request',
      '{{ a|tojson(ensure_ascii=True) }}',
      { a: 'é😀\u007f' },
      String.raw`"\u00e9\ud83d\ude00\u007f"`,
    ],
    ['writes JSON with other separators', "{{ a|tojson(separators=(',', ':')) }}", { a: { k: [1, 2] } }, '{"k":[1,2]}'],
    ['joins values of any kind', "{{ a|join(', ') }}", { a: ['x', 1, true] }, 'x, 1, True'],
    [
      'strips only the characters that are named',
      "{{ a.strip('\\n') }}|{{ a.lstrip('\\n') }}|{{ a|trim }}",
      { a: '\n x \n' },
      ' x | x \n|x',
    ],
    ['reads CRLF as one line end', '{% if true %}\r\nx\r\ny{% endif %}\r\n', {}, 'x\ny'],
    ['tells the time it was given', "{{ strftime_now('%d %b %Y %H:%M') }}", {}, '21 Nov 2026 09:05'],
    [
      'keeps the special arguments of macros',
      '{% macro m() %}{{ varargs|join("-") }}{% endmacro %}{{ m(1, 2) }}',
      {},
      '1-2',
    ],
    ['adds numbers and strings', '{{ 1 + 2 }}{{ "a" + "b" }}{{ 1 + 1.0 }}', {}, '3ab2.0'],
  ])('%s', (_, source, data, expected) => {
    expect(render(source, data)).toBe(expected);
  });

  it('keeps floats, large integers and the order of keys of JSON text', () => {
    const json = '{"2": 1.0, "1": 12345678901234567890, "e": 1e5, "s": 1e-7, "d": "\\u00e9"}';
    expect(render('{{ json|tojson }}', {}, json)).toBe(
      '{"2": 1.0, "1": 12345678901234567890, "e": 100000.0, "s": 1e-07, "d": "é"}',
    );
    expect(render('{{ json["2"] }} {{ json["1"]|string }}', {}, json)).toBe('1.0 12345678901234567890');
  });

  it('reads a string of any length, with escapes, and does not exhaust the stack', () => {
    const text = `${'a'.repeat(20_000_000)}"\\\n`;
    expect(parseJsonValue(JSON.stringify([text, '']))?.type).toBe('ArrayValue');
    expect(parseJsonValue('"a\\"')).toBeUndefined();
  });

  it.each(['{"a":}', '{a: 1}', '[1,]', '01', '', '"\n"', '[1] 2', '['.repeat(500)])(
    'does not read %j as JSON',
    (json) => {
      expect(parseJsonValue(json)).toBeUndefined();
    },
  );

  it.each([
    ['raises an exception', "{{ raise_exception('secret words') }}"],
    ['adds a string and a truth value', '{{ "a" + true }}'],
    ['uses an unknown filter', '{{ "a"|nonsense }}'],
    ['asks for a huge range', '{% for i in range(10000000) %}x{% endfor %}'],
  ])('refuses a conversation if the template %s, without quoting its content', (_, source) => {
    expect(() => render(source)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        reason: 'template_refused',
        message: 'The chat template of the model does not take this conversation.',
      }) as Error,
    );
  });

  it('refuses a template that cannot be parsed', () => {
    expect(() => compileChatTemplate('{% if %}', now)).toThrow(
      expect.objectContaining({ reason: 'template_invalid' }) as Error,
    );
  });

  // In quadratic time it would far exceed the time limit of a case.
  it('strips a long run of spaces in linear time', () => {
    const text = `x${' '.repeat(3_000_000)}x`;
    expect(render('{{ a|trim }}', { a: text })).toBe(text);
  });
});

describe('rendering in parts', () => {
  const both = async (source: string, data: Readonly<Record<string, unknown>>) => {
    const template = compileChatTemplate(source, now);
    const variables = new Map(Object.entries(data).map(([name, value]) => [name, plainValue(value)]));
    return [await template.renderInParts(variables), template.render(variables)] as const;
  };
  const place = '{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.length }}';

  it.each([
    ['the numbers of rounds', `{% for m in a %}${place}{{ loop.first }}{{ loop.last }};{% endfor %}`],
    ['neighbours', '{% for m in a %}{{ loop.previtem }}<{{ m }}>{{ loop.nextitem }}{% endfor %}'],
    ['conditions around loops', '{% if a %}x{% for m in a %}{{ m }}{% endfor %}{% else %}y{% endif %}'],
    [
      'conditions that are not met',
      '{% if none %}x{% elif b %}{% for m in b %}{{ m }}{% endfor %}{% else %}y{% endif %}',
    ],
    ['loops in loops', '{% for m in a %}{% for k in a %}{{ m }}{{ k }}{{ loop.index }} {% endfor %}{% endfor %}'],
    ['rounds that end early', '{% for m in a %}{% if m == 2 %}{% continue %}{% endif %}{{ m }}{% endfor %}'],
    ['loops that end early', '{% for m in a %}{{ m }}{% if m == 2 %}{% break %}{% endif %}{% endfor %}'],
    ['loops over nothing', '{% for m in b %}{{ m }}{% else %}none{% endfor %}'],
    ['loops over some', '{% for m in a if m > 1 %}{{ m }}{{ loop.index }}{% endfor %}'],
    ['loops over pairs', '{% for k, v in c.items() %}{{ k }}{{ v }}{% endfor %}'],
    ['loops over keys', '{% for k in c %}{{ k }}{% endfor %}'],
    ['loops backwards', '{% for m in a[::-1] %}{{ m }}{% endfor %}'],
    ['variables of a loop', '{% set x = 0 %}{% for m in a %}{% set x = m %}{{ x }}{% endfor %}{{ x }}'],
    ['namespaces', '{% set n = namespace(x=0) %}{% for m in a %}{% set n.x = n.x + m %}{% endfor %}{{ n.x }}'],
    ['macros', '{% macro f(x) %}{% for m in x %}{{ m }}{% endfor %}{% endmacro %}{{ f(a) }}{{ f(b) }}'],
    ['values of other kinds', '{% for m in d %}{{ m }}|{% endfor %}{{ d }}'],
  ])('gives the same text for %s', async (_, source) => {
    const [inParts, atOnce] = await both(source, { a: [1, 2, 3], b: [], c: { k: 1, l: 2 }, d: [null, true, 0.5, 'x'] });
    expect(inParts).toBe(atOnce);
    expect(inParts).not.toBe('');
  });

  it('refuses what the template refuses, without the text of the conversation', async () => {
    const source = '{% for m in a %}{{ raise_exception(m) }}{% endfor %}';
    const rejected = compileChatTemplate(source, now).renderInParts(new Map([['a', plainValue(['the secret'])]]));
    await expect(rejected).rejects.toMatchObject({
      reason: 'template_refused',
      message: expect.not.stringContaining('secret') as string,
    });
  });

  it('lets other work come in between the rounds of a long loop', async () => {
    const messages = Array.from({ length: 30_000 }, (_, index) => ({ role: 'user', content: String(index) }));
    const source = '{% for m in messages %}{{ m.role }}: {{ m.content | trim }}\n{% endfor %}';
    let others = 0;
    let isOver = false;
    const work = (): void => {
      others += 1;
      if (!isOver) setImmediate(work);
    };
    work();
    const [inParts, atOnce] = await both(source, { messages });
    isOver = true;
    expect(inParts).toBe(atOnce);
    expect(others).toBeGreaterThan(1);
  });
});
