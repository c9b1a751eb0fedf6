import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';

const secret = 'x7-correct/horse+battery';
const lines = 'first-line-of-many\nsecond-line-of-many\n';

const dag = `
type: graph
secrets:
  - {name: TOKEN, provider: env, key: GIVEN_TOKEN}
  - {name: LINES, provider: env, key: GIVEN_LINES}
log_output: merged
handler_on:
  exit: {run: 'echo "exit $TOKEN"'}
steps:
  - name: streams
    log_output: separate
    run: |
      echo "out $TOKEN"; echo "$LINES"
      echo "err $TOKEN" >&2
      printf '%s' "$TOKEN" | base64
  - name: merged
    run: echo "out $TOKEN"; echo "err $TOKEN" >&2
    output: MERGED
  - name: referred
    run: |
      echo '\${env.TOKEN}'
  - name: fails
    run: echo "no entry for $TOKEN" >&2; exit 3
    continue_on: failed
    retry_policy: {limit: 1, interval_sec: 0}
  - name: output
    run: echo "$TOKEN"
    output: FOUND
  - name: fields
    run: printf '{"token":"%s","list":["%s"]}' "$TOKEN" "$TOKEN"
    output: {all: {from: stdout, decode: json}}
    stdout: \${context.paths.work_dir}/copy.out
  - id: declared
    run: echo "one=$TOKEN" >> "$WEIR_OUTPUT_FILE"
    outputs: [{name: one}]
  - name: undeclared
    run: echo "one=$TOKEN" >> "$WEIR_OUTPUT_FILE"
  - id: unwanted
    run: echo "two=$TOKEN" >> "$WEIR_OUTPUT_FILE"
    outputs: [{name: one}]
    continue_on: failed
  - name: action
    action: log.write
    with: {message: "token \${TOKEN}"}
  - name: values
    action: outputs.write
    with: {values: {token: "\${TOKEN}"}}
  - name: request
    action: http.request
    with: {url: "http://127.0.0.1:9/\${TOKEN}", method: GET, timeout: 2, headers: {Authorization: "Bearer \${TOKEN}"}}
    continue_on: failed
  - name: condition
    run: echo
    preconditions: [{eval: '\`echo "no $TOKEN" >&2; exit 3\`', expected: x}]
    continue_on: failed
  - id: child
    action: dag.run
    with: {dag: child, params: {GIVEN: "\${TOKEN}"}}
  - id: loop
    foreach:
      items: ["a-\${TOKEN}", b]
      as: each
      key: "\${foreach.each}-\${TOKEN}"
      steps: [{run: 'echo "\${foreach.each} $TOKEN"'}]
  - name: last
    depends: [output, fields, declared, merged]
    run: echo "$FOUND $MERGED"; echo '\${steps.declared.outputs.one}'
---
name: child
params: {GIVEN: none}
steps:
  - run: echo "given $GIVEN"
    output: SEEN
`;

let home: TemporaryFolder;

beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

/** Every file below a folder; those that cannot be read hold nothing of ours. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const forms = [
  secret,
  'horse+battery',
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').slice(0, 20),
  'first-line-of-many',
  'second-line-of-many',
];

describe('a run with secrets', () => {
  it('stores none of them in any file', async () => {
    const file = home.file('secretive.yaml');
    writeFileSync(file, dag);
    const env = { GIVEN_TOKEN: secret, GIVEN_LINES: lines };
    const { code, stdout, stderr } = await runWeir(['start', file], { home, env });

    // The run succeeds in part: what fails is meant to.
    expect(`${code} ${stdout}${stderr}`).toMatch(/last: succeeded/);
    const stored = filesBelow(home.path);
    const found = stored.flatMap((each) => {
      const bytes = readFileSync(each);
      return forms.filter((form) => bytes.includes(form)).map((form) => `${path.relative(home.path, each)}: ${form}`);
    });
    expect(found).toEqual([]);
    expect(forms.filter((form) => `${stdout}${stderr}`.includes(form))).toEqual([]);
    // All that was masked is there, so nothing was looked for in vain.
    expect(stored.filter((each) => readFileSync(each).includes('*****')).length).toBeGreaterThan(6);
    expect(stored.some((each) => each.includes('.db'))).toBe(true);
  }, 90_000);
});
