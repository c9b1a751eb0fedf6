import fc from 'fast-check';
import { parseBaseConfig } from '../../dag/document/parse-base-config';
import { parseDag } from '../../dag/document/parse-dag';

const errors = (text: string) =>
  parseDag(text)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`);

function parseSteps(definition: unknown, ...steps: readonly unknown[]) {
  return parseDag(JSON.stringify({ actions: { greet: definition }, steps })).dag.steps;
}

describe('a custom action', () => {
  it('passes the typed value of an input to a call', () => {
    const definition = {
      template: {
        action: 'http.request',
        with: { method: 'GET', url: { $input: 'to.url' }, timeout: { $input: 'wait' } },
      },
    };
    const [step] = parseSteps(definition, { action: 'greet', with: { to: { url: 'https://x.example' }, wait: 7 } });
    expect(step?.run).toEqual({
      kind: 'action',
      action: 'http.request',
      with: { method: 'GET', url: 'https://x.example', timeout: 7 },
    });
  });

  it('drops a key whose input was not given', () => {
    const [step] = parseSteps({ template: { run: 'x', timeout_sec: { $input: 'wait' } } }, { action: 'greet' });
    expect(step).not.toHaveProperty('timeoutSec');
  });

  it('applies the defaults of the schema', () => {
    const definition = {
      input_schema: { properties: { name: { type: 'string', default: 'you' } } },
      template: { run: 'echo {{ .input.name }}' },
    };
    expect(parseSteps(definition, { action: 'greet' })[0]?.run).toEqual({ kind: 'commands', commands: ['echo you'] });
  });

  it('keeps a number as written', () => {
    const text = 'actions: {tag: {template: {run: "echo {{ .input.v }}"}}}\nsteps: [{action: tag, with: {v: 1.10}}]\n';
    expect(parseDag(text).dag.steps[0]?.run).toEqual({ kind: 'commands', commands: ['echo 1.10'] });
  });

  it('lets the step that calls it replace keys of the template', () => {
    const [step] = parseSteps({ template: { run: 'x', timeout_sec: 5 } }, { action: 'greet', timeout_sec: 9 });
    expect(step?.timeoutSec).toBe(9);
  });

  it('inserts any string into a JSON placeholder so that it reads back unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const [step] = parseSteps(
          { template: { action: 'log.write', with: { message: '{{ json .input.name }}' } } },
          { action: 'greet', with: { name } },
        );
        const message = JSON.stringify(name);
        expect(step?.run).toEqual({ kind: 'action', action: 'log.write', with: { message } });
      }),
    );
  });

  it('does not expand a placeholder in an input', () => {
    const definition = { template: { run: 'echo {{ .input.a }}' } };
    const [step] = parseSteps(definition, { action: 'greet', with: { a: '{{ .input.b }}', b: 'x' } });
    expect(step?.run).toEqual({ kind: 'commands', commands: ['echo {{ .input.b }}'] });
  });

  it('is reported once, for any number of steps that call it', () => {
    const text = 'actions: {a: {template: {run: x, timeout_sec: soon}}}\nsteps: [{action: a}, {action: a}]\n';
    expect(errors(text)).toHaveLength(1);
  });

  it('with an error causes no findings about its calls', () => {
    const text = 'actions: {a: {template: {run: "{{ a }}"}}}\nsteps: [{action: a, with: 3}]\n';
    expect(errors(text)).toEqual([expect.stringContaining('invalid_template')]);
  });

  it.each([
    ['a: {template: {run: "{{ .input }}"}}', 'is not known'],
    ['a: {template: {run: "{{ .input.x | upper }}"}}', 'is not known'],
    ['a: {template: {run: x, env: {$input: e, more: 1}}}', '$input must be the only key'],
    ['a: {template: {action: b}}', 'must use run or a built-in action'],
    ['a: {template: {name: x, run: x}}', 'name belongs to the step that calls'],
    ['a: {input_schema: {type: array}, template: {run: x}}', 'must have type object'],
    ['a: {input_schema: {$ref: "#"}, template: {run: x}}', '$ref is not supported'],
    [
      'a: {input_schema: {properties: {n: {pattern: "(?=x)"}}}, template: {run: x}}',
      'not a valid RE2 regular expression',
    ],
    ['a..b: {template: {run: x}}', 'invalid action name'],
    ['ssh.run: {template: {run: x}}', 'is built in'],
    ['redis.get: {template: {run: x}}', 'is built in'],
    ['a: 5', 'must be a map'],
  ])('%s is refused', (definition, phrase) => {
    expect(errors(`actions: {${definition}}\nsteps: [x]\n`)).toEqual([expect.stringContaining(phrase)]);
  });

  it('checks a pattern in linear time', () => {
    const definition = 'a: {input_schema: {properties: {n: {pattern: "^(a+)+$"}}}, template: {run: x}}';
    const text = `actions: {${definition}}\nsteps: [{action: a, with: {n: "${'a'.repeat(50_000)}!"}}]\n`;
    expect(errors(text)).toEqual([expect.stringContaining('must match pattern')]);
  });

  it('has a limit on the expansion of all calls together', () => {
    const run = '{{ .input.n }}'.repeat(2_000);
    const calls = '  - {action: a, with: {n: 123456789}}\n'.repeat(2_000);
    expect(errors(`actions: {a: {template: {run: "${run}"}}}\nsteps:\n${calls}`)).toEqual([
      expect.stringContaining('text_too_complex'),
    ]);
  });

  it('does not expand to far more than the file', () => {
    const run = '{{ .input.n }}'.repeat(10_000);
    const text = `actions: {a: {template: {run: "${run}"}}}\nsteps: [{action: a, with: {n: "${'x'.repeat(500_000)}"}}]\n`;
    expect(errors(text)).toEqual([expect.stringContaining('text_too_complex')]);
  });
});

describe('an inherited custom action', () => {
  const { base, findings } = parseBaseConfig(
    'actions: {greet: {description: hi, template: {run: "echo {{ .input.name }}", timeout_sec: 5}}}',
  );

  it('can be called by a DAG', () => {
    const { dag } = parseDag('steps: [{action: greet, with: {name: Ada}}]', { base });
    expect([findings, dag.steps[0]]).toEqual([
      [],
      expect.objectContaining({ run: { kind: 'commands', commands: ['echo Ada'] }, timeoutSec: 5 }),
    ]);
  });

  it('cannot be redefined', () => {
    const { findings: own } = parseDag('actions: {greet: {template: {run: x}}}\nsteps: [x]', { base });
    expect(own).toEqual([expect.objectContaining({ code: 'invalid_custom_action', line: 1, column: 11 })]);
  });
});

describe('an input with the name of an Object property', () => {
  const writeDag = (call: string) =>
    parseDag(
      'actions:\n  greet:\n    input_schema:\n      type: object\n      required: [toString]\n' +
        '      properties: {constructor: {type: string, default: you}, toString: {type: string}}\n' +
        `    template: {run: "echo {{ .input.constructor }}"}\nsteps: [{action: greet, with: ${call}}]`,
    );

  it('gets its default', () => {
    const { dag, findings } = writeDag('{toString: a}');
    expect(findings).toEqual([]);
    expect(dag.steps[0]?.run).toEqual({ kind: 'commands', commands: ['echo you'] });
  });

  it('is missing when it is not given', () => {
    expect(writeDag('{}').findings.map(({ code }) => code)).toEqual(['missing_key']);
  });

  it('does not conflict with the action when it is a key of the call', () => {
    const text = 'actions: {greet: {template: {run: x}}}\nsteps: [{action: greet, constructor: 1}]';
    expect(parseDag(text).findings.map(({ code }) => code)).toEqual(['unknown_key']);
  });
});

describe('a template with errors', () => {
  it('reports every missing part, once', () => {
    const text =
      'actions: {greet: {template: {run: x, retry_policy: {}}}}\ntype: chain\nsteps: [{action: greet}, {action: greet}]';
    expect(parseDag(text).findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('limit is required'),
      expect.stringContaining('interval_sec is required'),
    ]);
  });

  it('is named by its key when an input causes the error', () => {
    const definition = '{template: {run: x, timeout_sec: "{{ .input.wait }}"}}';
    const [finding] = parseDag(
      `actions: {greet: ${definition}}\nsteps: [{action: greet, with: {wait: long}}]`,
    ).findings;
    expect(finding).toMatchObject({ line: 2, path: '/actions/greet/template/timeout_sec' });
    expect(finding?.message).toContain('actions.greet.template.timeout_sec must be an integer');
  });
});
