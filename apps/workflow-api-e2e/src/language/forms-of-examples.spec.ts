import { readFile, writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@weir/test-kit';
import { runWeir } from '../support/weir-command';

describe('files in the forms that examples of Dagu use', () => {
  const home = temporaryFolder();
  const weir = (...words: string[]) => runWeir(words, { home });
  afterAll(() => home.remove());

  it.each([
    [
      'references inside a map of outputs, nested and as whole values',
      `params: [{name: region, default: eu}]
type: chain
steps:
  - id: count
    run: echo '{"rows":3}'
    output:
      total: {from: stdout, decode: json, select: .rows}
      place: "s3://lake/\${params.region}"
      detail: {value: {source: {host: "db.\${params.region}"}}}
  - run: echo "\${steps.count.outputs.total} \${steps.count.outputs.place} \${steps.count.outputs.detail.source.host}" > @OUT@
`,
      '3 s3://lake/eu db.eu\n',
    ],
    [
      'artifacts of a folder that no key switched on',
      `type: chain
steps:
  - run: echo 7 > "$DAG_RUN_ARTIFACTS_DIR/a.txt"
  - {action: artifact.read, with: {path: a.txt}, output: A}
  - run: echo "$A" > @OUT@
`,
      '7\n',
    ],
    [
      'custom actions with references to the run, without a warning',
      `actions:
  greet:
    input_schema: {type: object, properties: {who: {type: string}}, required: [who]}
    template:
      run: echo "hello {{ .input.who }} in \${params.place} as $DAG_RUN_STEP_NAME" > @OUT@
params: [{name: place, default: Paris}]
type: chain
steps:
  - {run: echo Ada, output: WHO}
  - {name: greet her, action: greet, with: {who: "\${WHO}"}}
`,
      'hello Ada in Paris as greet her\n',
    ],
  ])('have %s', async (title, spec, expected) => {
    const file = home.file(`${title.replaceAll(/\W+/g, '-').slice(0, 30)}.yaml`);
    await writeFile(file, spec.replaceAll('@OUT@', `${file}.out`));
    expect(await weir('validate', file)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^ok: /) as string,
      stderr: '',
    });
    expect(await weir('start', file)).toMatchObject({ code: 0 });
    expect(await readFile(`${file}.out`, 'utf8')).toBe(expected);
  });
});
