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
max_clean_up_time_sec: 5
timeout_sec: 0
mail_on: {failure: false}
steps:
  - name: one
    run: echo
    signal_on_stop: SIGTERM
    env: {B: "2"}
  - name: two
    depends: one
    run: [echo a, echo b]
    worker_selector: local
`;
    expect(partsOf(text)).toEqual([]);
  });

  it.each([
    ['retry_policy: {limit: 1, interval_sec: 1}', 'retry_policy'],
    ['repeat_policy: {repeat: until, interval_sec: 1, condition: "true"}', 'repeat_policy'],
    ['continue_on: failed', 'continue_on'],
    ['preconditions: "test -f x"', 'preconditions'],
    ['timeout_sec: 1', 'timeout_sec'],
    ['signal_on_stop: SIGINT', 'signal_on_stop'],
    ['mail_on_error: true', 'mail_on_error'],
    ['stdout: out.txt', 'stdout'],
    ['log_output: merged', 'log_output'],
    ['output: RESULT', 'output'],
    ['container: alpine:3', 'container'],
    ['approval: {prompt: ok}', 'approval'],
  ])('names the step with %s', (line, part) => {
    expect(partsOf(`steps:\n  - name: one\n    run: echo\n    ${line}\n`)).toEqual([`step "one": ${part}`]);
  });

  it('names actions and loops', () => {
    const text = `
steps:
  - {name: call, action: log.write, with: {message: hello}}
  - name: each
    foreach: {items: [1, 2], steps: [{name: inner, run: echo}]}
`;
    expect(partsOf(text)).toEqual(['step "call": action log.write', 'step "each": foreach']);
  });

  it.each([
    ['secrets: [{name: TOKEN, provider: env, key: TOKEN}]', 'secrets'],
    ['timeout_sec: 60', 'timeout_sec'],
    ['delay_sec: 1', 'delay_sec'],
    ['max_clean_up_time_sec: 60', 'max_clean_up_time_sec'],
    ['retry_policy: {limit: 1, interval_sec: 1}', 'retry_policy'],
    ['preconditions: "test -f x"', 'preconditions'],
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
