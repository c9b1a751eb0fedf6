import type { TextRange } from '../../source/findings/finding';
import { parseDag } from '../document/parse-dag';

/** Each finding with the text at its location, and its fix with the text it replaces. */
const found = (text: string) => {
  const lines = text.split('\n');
  const slice = ({ line, column, endColumn }: TextRange) => lines[line - 1]?.slice(column - 1, endColumn - 1) ?? '';
  return parseDag(text).findings.map((finding) => {
    const { code, line, fix } = finding;
    const summary = `${code.replace('reference_', '')} ${line} ${slice(finding)}`;
    return fix ? `${summary} ${slice(fix)}>${fix.text}` : summary;
  });
};
const source = 'steps:\n  - {id: fetch, run: x, output: {rows: {from: stdout}, meta: {from: stdout, decode: json}}}\n';
const step = (...lines: string[]) =>
  `${source}  - id: use\n    depends: fetch\n${lines.map((line) => `    ${line}\n`).join('')}`;

describe('locations of references', () => {
  const [a, b] = ['${params.a}', '${params.b}'];

  it.each([
    ['a plain text', [`run: echo ${a} ${b}`], [`5 ${a}`, `5 ${b}`]],
    ['double quotes with escapes', [`run: "\\t\\"é\\" ${a}"`], [`5 ${a}`]],
    ['single quotes', [`run: 'it''s ${a}'`], [`5 ${a}`]],
    ['a block', ['run: | # head ${x}', `  # ${a}`, `  cat ${b}`], [`6 ${a}`, `7 ${b}`]],
    ['a folded block', ['run: >-', '  echo', `  😀 ${a}`], [`7 ${a}`]],
    ['a list', [`run: [a, "b ${a}"]`], [`5 ${a}`]],
    ['an escaped reference next to a reference', [`run: echo \\${a} ${b}`], [`5 ${b}`]],
    ['an escape that makes a dollar', ['run: "\\x24{params.a}"'], ['5 "\\x24{params.a}"']],
    ['an alias', [`env: {A: &text "${a}", B: *text}`, 'run: x'], [`5 ${a}`, '5 *text']],
  ])('in %s', (_, lines, expected) => {
    expect(found(step(...lines))).toEqual(expected.map((location) => `unknown_name ${location}`));
  });
});

describe('references to steps', () => {
  it.each([
    ['${steps.fetch.outputs.rows} ${steps.fetch.outputs.meta.size} ${fetch.stdout} ${fetch.exit_code}', []],
    ['${steps.fecth.outputs.rows}', ['unknown_step 5 ${steps.fecth.outputs.rows} fecth>fetch']],
    ['${steps.fetch.outputs.row}', ['unknown_output 5 ${steps.fetch.outputs.row} row>rows']],
    ['${steps.fetch.status}', ['unknown_output 5 ${steps.fetch.status}']],
    ['${steps.use.outputs.rows}', ['self 5 ${steps.use.outputs.rows}']],
    ['${use.stdout}', ['self 5 ${use.stdout}']],
    ['${fecth.stdout}', ['unknown_step 5 ${fecth.stdout} fecth>fetch']],
    ['${fetch.stdot}', ['unknown_output 5 ${fetch.stdot} stdot>stdout']],
    ['\\${steps.nobody.outputs.x}', []],
    ['\\\\${steps.nobody.outputs.x}', ['unknown_step 5 ${steps.nobody.outputs.x}']],
  ])('%s', (text, expected) => {
    expect(found(step(`run: echo ${text}`))).toEqual(expected);
  });

  it('make the step wait that is not behind the other one already', () => {
    const text = `${source}  - {id: mid, depends: fetch, run: x}
  - {id: far, depends: mid, run: "echo \${steps.fetch.outputs.rows}"}
  - {id: beside, run: "echo \${steps.fetch.outputs.rows} \${fetch.stdout}"}\n`;

    expect(found(text)).toEqual(['orders_steps 5 ${steps.fetch.outputs.rows}']);
  });

  it('follow the order of a chain', () => {
    const text = `type: chain
${source}  - run: echo \${steps.fetch.outputs.rows} \${steps.last.outputs.x}
  - {id: last, run: x, output: {x: {from: stdout}}}\n`;

    expect(found(text)).toEqual(['not_upstream 4 ${steps.last.outputs.x}']);
  });

  it('report a missing ID when they use a name', () => {
    const { findings } = parseDag(
      'steps:\n  - {name: fetch, run: x}\n  - {depends: fetch, run: "${steps.fetch.outputs.a}"}\n',
    );

    expect(findings[0]?.message).toContain('the step of that name has no ID');
  });

  it('may refer to the step itself after its end', () => {
    const text = `steps:
  - id: poll
    run: ./poll
    output: {state: {from: stdout}}
    repeat_policy: {repeat: until, condition: "\${steps.poll.outputs.state}", expected: done, interval_sec: 1}
    approval: {prompt: "It is \${steps.poll.outputs.stat}"}
error_mail: {from: a@b.c, to: d@e.f, prefix: "\${context.run.status}"}\n`;

    expect(found(text)).toEqual(['unknown_output 6 ${steps.poll.outputs.stat} stat>state']);
  });

  it('see the steps around a loop only from its body', () => {
    const text = `${source}  - id: loop
    depends: fetch
    foreach:
      items: "\${steps.fetch.outputs.rows}"
      as: row
      key: "\${foreach.row.id} \${steps.one.outputs.sum}"
      steps:
        - {id: one, run: "echo \${foreach.row.name} \${steps.fetch.outputs.meta}", output: {sum: {from: stdout}}}
        - {id: two, depends: one, run: "echo \${steps.one.outputs.sum} \${steps.loop.outputs.total}"}
      collect: {total: "\${steps.one.outputs.sum}"}
  - {depends: loop, run: "echo \${steps.loop.outputs.total} \${foreach.row} \${steps.one.outputs.sum}"}\n`;

    expect(found(text)).toEqual([
      'unknown_step 8 ${steps.one.outputs.sum}',
      'self 11 ${steps.loop.outputs.total}',
      'namespace_unavailable 13 ${foreach.row}',
      'unknown_step 13 ${steps.one.outputs.sum}',
    ]);
  });
});

describe('other references', () => {
  it.each([
    [
      'params: [{name: region}]',
      'run: echo ${params.regoin} ${params.region} $regoin ${regoin}',
      ['unknown_name 6 ${params.regoin} regoin>region'],
    ],
    ['consts: [{limit: 1}]', 'run: echo ${consts.limt}', ['unknown_name 6 ${consts.limt} limt>limit']],
    ['params: a b', 'run: echo ${params.2} ${params.3}', ['unknown_name 6 ${params.3}']],
    ['env: {A: 1}', 'run: echo ${env.A} ${env.B}', ['at_run_time 6 ${env.B}']],
    ['env: {A: 1, B: "${A}/${NONE}/${NONE:-x}"}', 'run: echo ${NONE}', ['at_run_time 1 ${NONE}']],
    [
      'env: {A: "${context.step.id} ${steps.fetch.outputs.rows}"}',
      'run: x',
      ['namespace_unavailable 1 ${context.step.id}', 'namespace_unavailable 1 ${steps.fetch.outputs.rows}'],
    ],
    [
      'description: ${params.x}',
      'run: echo ${context.run.id} ${context.run.status} ${context.run.ib}',
      ['namespace_unavailable 6 ${context.run.status}', 'unknown_context_field 6 ${context.run.ib}'],
    ],
    [
      'group: x',
      'run: echo ${foreach.x} ${inputs.a} ${context.pushback.iteration}',
      [
        'namespace_unavailable 6 ${foreach.x}',
        'namespace_unavailable 6 ${inputs.a}',
        'at_run_time 6 ${context.pushback.iteration}',
      ],
    ],
    [
      'handler_on: {exit: "${context.run.status} ${steps.fetch.outputs.rows}"}',
      'run: x',
      ['namespace_unavailable 1 ${steps.fetch.outputs.rows}'],
    ],
    ['params: {schema: in.json}', 'run: echo ${params.region}', ['at_run_time 6 ${params.region}']],
  ])('%s and %s', (setting, line, expected) => {
    expect(found(`${setting}\n${step(line)}`)).toEqual(expected);
  });

  it('never crowd out the errors of a large file', () => {
    const writeStep = (index: number) =>
      `  - {id: s${index}, run: "\${params.none} \${steps.s${index + 1}.outputs.x}"}\n`;
    const steps = Array.from({ length: 9_000 }, (_, index) => writeStep(index));
    const { findings } = parseDag(`steps:\n${steps.join('')}`);

    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(findings.filter(({ code }) => code !== 'graph_assumed')).toHaveLength(200);
  });
});
