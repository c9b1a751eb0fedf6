import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parseDag } from '../document/parse-dag';
import { hasErrors } from '../../source/findings/format-finding';
import { convertSpec } from './convert-spec';

const fixtures = path.resolve(__dirname, '../../../../../apps/workflow-api-e2e/src');
const isOld = (text: string) => parseDag(text).findings.some(({ code }) => code.startsWith('deprecated_'));
/** Valid fixtures that use an older spelling. */
const old = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file): [string, string] => [file, readFileSync(path.join(fixtures, file), 'utf8')])
  .filter(([, text]) => !hasErrors(parseDag(text).findings) && isOld(text));

const convert = (text: string) => convertSpec(text, (changed) => parseDag(changed));
const planOf = (text: string) => {
  const { dag, localDags } = parseDag(text);
  return { dag, localDags };
};
const comments = (text: string) => [...text.matchAll(/#.*$/gm)].map(([found]) => found);

async function expectSame(text: string) {
  const { text: converted } = await convert(text);
  expect(planOf(converted)).toEqual(planOf(text));
  expect(comments(converted).toSorted()).toEqual(comments(text).toSorted());
  await expect(convert(converted)).resolves.toMatchObject({ text: converted, replaced: 0 });
  return converted;
}

describe('a converted spec', () => {
  it.each([
    ['a renamed key', 'tags: a # why\nsteps: [x]\n', 'labels: a # why\nsteps: [x]\n'],
    [
      'a call, its comments and the layout of the rest',
      '# top\nsteps:\n  - name:   load   # odd\n    # which\n    call: child # this\n\n    params: "a=1"\n    env: {A: b}\n',
      '# top\nsteps:\n  - name:   load   # odd\n    action: dag.run\n    with:\n      # which\n      dag: child # this\n      params: "a=1"\n    env: {A: b}\n',
    ],
    [
      'settings that move to the left',
      'steps:\n  - executor:\n      type: http\n      config:\n        # slow\n        timeout: 10\n        headers:\n          Accept: a\n    command: GET https://a.example\n',
      'steps:\n  - action: http.request\n    with:\n      # slow\n      timeout: 10\n      headers:\n        Accept: a\n      method: GET\n      url: https://a.example\n',
    ],
    [
      'a step in one line',
      'steps:\n  - {name: a, call: child, params: x=1}\n',
      'steps:\n  - { name: a, action: dag.run, with: { dag: child, params: x=1 } }\n',
    ],
    [
      'a script and its program',
      'steps:\n  - command: python3\n    script: |\n      import sys\n\n      print(1)\n',
      'steps:\n  - run: |\n      import sys\n\n      print(1)\n    with:\n      shell:\n        - python3\n',
    ],
    [
      'steps that follow each other',
      '# top\r\nsteps:\r\n  - command: a\r\n  - command: b\r\n',
      '# top\r\ntype: chain\r\nsteps:\r\n  - run: a\r\n  - run: b\r\n',
    ],
    ['the name of an output', 'steps:\n  - {run: date, output: $DAY}\n', 'steps:\n  - {run: date, output: DAY}\n'],
  ])("has today's form of %s", async (_, text, expected) => {
    expect(await expectSame(text)).toBe(expected);
  });

  it.each(old)('is the same DAG as %s', async (_, text) => {
    await expectSame(text);
  });

  it('keeps forms without a certain replacement, and converts the rest', async () => {
    const { text, replaced, findings } = await convert('max_active_runs: 1\ntags: a\nsteps: [x]\n');
    expect({ text, replaced }).toEqual({ text: 'max_active_runs: 1\nlabels: a\nsteps: [x]\n', replaced: 1 });
    expect(findings.map(({ code }) => code)).toContain('deprecated_key');
  });

  it('keeps a step in braces that has comments', async () => {
    const text = 'steps:\n  - {call: child, # which\n     params: x=1}\n';
    await expect(convert(text)).resolves.toMatchObject({ text, replaced: 0 });
  });

  it('is the unchanged text when it has errors', async () => {
    const text = 'tags: a\nstepz: 1\n';
    await expect(convert(text)).resolves.toMatchObject({ text, replaced: 0 });
  });

  it('keeps line breaks of other systems and a byte order mark', async () => {
    const { text } = await convert('\uFEFFtags: a\r\nsteps:\r\n  - command: x\r\n');
    expect(text).toBe('\uFEFFlabels: a\r\nsteps:\r\n  - run: x\r\n');
  });
});

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
const comment = fc.constantFrom('', ' # why', '  # a: b');
const lineOf = (key: string, value: fc.Arbitrary<string>) =>
  fc.tuple(value, comment, fc.constantFrom('', '# above\n')).map(([text, note, above]) => ({ key, text, note, above }));
const forms = fc.oneof(
  fc.tuple(
    lineOf('call', word),
    lineOf(
      'params',
      word.map((name) => `${name}=1`),
    ),
  ),
  fc.tuple(
    lineOf('executor', fc.constantFrom('jq')),
    lineOf('command', fc.constant('.a')),
    lineOf('script', fc.constant(`'{"a": 1}'`)),
  ),
  fc.tuple(lineOf('type', fc.constant('log')), lineOf('command', word)),
  fc.tuple(
    lineOf('type', fc.constant('http')),
    lineOf('config', fc.constant('{timeout: 5}')),
    lineOf('command', fc.constant('GET https://a.example')),
  ),
  fc.tuple(lineOf('exec', fc.constantFrom('rsync -a "x y"', '[rsync, -a]', '{command: rsync}'))),
  fc.tuple(lineOf('command', word), lineOf('shell', fc.constantFrom('bash -e', '[bash, -e]'))),
  fc.tuple(lineOf('script', word)),
  fc.tuple(lineOf('type', fc.constant('hitl')), lineOf('config', fc.constant('{prompt: "Go?"}'))),
);
const others = fc.subarray([
  { key: 'description', text: 'x', note: '', above: '' },
  { key: 'continueOn', text: 'failed', note: ' # fine', above: '' },
  { key: 'env', text: '{A: b}', note: '', above: '# env\n' },
]);
/** A step with its lines in any order, at any depth of indentation. */
const step = fc.tuple(forms, others).chain(([form, rest]) => {
  const lines = [...form, ...rest];
  return fc.shuffledSubarray(lines, { minLength: lines.length });
});
const spec = fc
  .tuple(fc.array(step, { minLength: 1, maxLength: 4 }), fc.nat(4), fc.constantFrom('', 'tags: [a]\n'))
  .map(([steps, indent, head]) => {
    const start = ' '.repeat(indent);
    const blocks = steps.map((lines, index) =>
      [{ key: 'name', text: `s${index}`, note: '', above: '' }, ...lines]
        .map(({ key, text, note, above }, at) => {
          const inside = at === 0 ? `${start}- ` : `${start}  `;
          return `${above === '' ? '' : `${start}  ${above}`}${inside}${key}: ${text}${note}\n`;
        })
        .join(''),
    );
    return `${head}steps:\n${blocks.join('')}`;
  });

describe('any spec with older spellings', () => {
  it('is the same DAG after its conversion, without an older spelling', async () => {
    await fc.assert(
      fc.asyncProperty(spec, async (text) => {
        fc.pre(!hasErrors(parseDag(text).findings));
        const converted = await expectSame(text);
        expect(isOld(converted)).toBe(false);
      }),
      { numRuns: 500 },
    );
  }, 60_000);
});
