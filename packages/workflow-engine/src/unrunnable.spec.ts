import { parseDag } from '@weir/workflow-spec';
import { unrunnableParts } from './unrunnable';

const partsOf = (text: string) => {
  const { dag, findings } = parseDag(text);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return unrunnableParts(dag);
};

describe('unrunnableParts', () => {
  it('finds nothing in what the engine carries out', () => {
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
    expect(partsOf(text)).toEqual([]);
  });

  it.each([
    ['mail_on_error: true', 'mail_on_error'],
    ['stdout: {artifact: out.txt}', 'stdout.artifact'],
    ['stderr: {artifact: err.txt}', 'stderr.artifact'],
    ['log_output: merged', 'log_output'],
    ['container: alpine:3', 'container'],
    ['approval: {prompt: ok}', 'approval'],
  ])('names the step with %s', (line, part) => {
    expect(partsOf(`steps:\n  - name: one\n    run: echo\n    ${line}\n`)).toEqual([`step "one": ${part}`]);
  });

  it('names actions and loops', () => {
    const text = `
steps:
  - {name: runs, action: log.write, with: {message: hello}}
  - {name: call, action: state.get, with: {key: seen}}
  - name: each
    foreach: {items: [1, 2], steps: [{name: inner, run: echo}]}
`;
    expect(partsOf(text)).toEqual(['step "call": action state.get', 'step "each": foreach']);
  });

  it.each([
    ['secrets: [{name: TOKEN, provider: env, key: TOKEN}]', 'secrets'],
    ['max_output_size: 16777217', 'max_output_size above 16777216'],
    ['retry_policy: {limit: 1, interval_sec: 1}', 'retry_policy'],
    ['handler_on: {failure: {run: echo}}', 'handler_on.failure'],
    ['mail_on: {failure: true}', 'mail_on'],
    ['log_dir: /var/log', 'log_dir'],
    ['artifacts: {enabled: true}', 'artifacts'],
    ['container: alpine:3', 'container'],
    ['ssh: {user: deploy, host: web.example}', 'ssh'],
    ['worker_selector: {gpu: "yes"}', 'worker_selector'],
  ])('names the DAG with %s', (line, part) => {
    expect(partsOf(`${line}\nsteps:\n  - run: echo\n`)).toEqual([`DAG: ${part}`]);
  });
});
