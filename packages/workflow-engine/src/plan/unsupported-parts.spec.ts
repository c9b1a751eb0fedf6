import { parseDag } from '@weir/workflow-spec';
import { unsupportedParts } from './unsupported-parts';

const findParts = (text: string) => {
  const { dag, findings } = parseDag(text);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return unsupportedParts(dag);
};

describe('unrunnableParts', () => {
  it('finds nothing in what the engine supports', () => {
    const text = `
description: Loads the day.
labels: team=data
params: DAY=today
env: {A: "1"}
working_dir: /tmp
shell: bash
schedule: "0 3 * * *"
skip_if_successful: true
queue: nights
hist_retention_days: 7
run_config: {disable_param_edit: true}
max_active_steps: 2
max_clean_up_time_sec: 60
timeout_sec: 3600
delay_sec: 1
preconditions: test -d /
mail_on: {failure: false}
steps:
  - name: one
    run: echo
    signal_on_stop: SIGINT
    retry_policy: {limit: 1, interval_sec: 1}
    continue_on: failed
    timeout_sec: 5
    env: {B: "2"}
  - name: two
    depends: one
    run: [echo a, echo b]
    worker_selector: local
    stdout: out.txt
    output: {a: {from: stdout, decode: json, select: .a}}
    output_schema: {type: object}
  - id: three
    run: echo
    outputs: [{name: b}]
    stderr: err.txt
`;
    expect(findParts(text)).toEqual([]);
  });

  it('names the step with a worker_selector', () => {
    const text = 'steps:\n  - name: one\n    run: echo\n    worker_selector: {gpu: "yes"}\n';
    expect(findParts(text)).toEqual(['step "one": worker_selector']);
  });

  it('names what is in the body of a loop, and in a handler', () => {
    const inner = '{name: inner, run: echo, worker_selector: {gpu: "yes"}}';
    const text = `
handler_on: {failure: {run: echo, worker_selector: {gpu: "yes"}}}
steps:
  - name: each
    foreach: {items: [1, 2], steps: [${inner}]}
`;
    expect(findParts(text)).toEqual([
      'DAG: handler_on.failure: worker_selector',
      'step "each": step "inner": worker_selector',
    ]);
  });

  it.each([
    ['secrets: [{name: TOKEN, ref: a/b}]', 'secrets.ref'],
    ['max_output_size: 16777217', 'max_output_size above 16777216'],
    ['ssh: {user: deploy, host: web.example}', 'ssh without a step that calls ssh.run or sftp.*'],
    ['worker_selector: {gpu: "yes"}', 'worker_selector'],
  ])('names the DAG with %s', (line, part) => {
    expect(findParts(`${line}\nsteps:\n  - run: echo\n`)).toEqual([`DAG: ${part}`]);
  });
});
