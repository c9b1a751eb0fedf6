import { forms, type Fragment } from './fragment';

const write = (text: string) => `steps: [{name: w, run: 'echo "${text}" > @OUT@'}]`;

/** The keys of a DAG. A fragment with steps of its own is executed. */
export const dagKeyFragments: readonly Fragment[] = [
  ...forms('name', { text: 'name: corpus-x', number: 'name: 2024' }),
  ...forms('description', { text: 'description: What it does', block: 'description: |\n  Two\n  lines' }),
  ...forms('group', { text: 'group: reports' }),
  ...forms('labels', { words: 'labels: a, b=c', list: 'labels: [a, b=c]', map: 'labels: {a: "", b: c}' }),
  ...forms('type', {
    graph: 'type: graph',
    build: {
      yaml: 'type: build\nsteps: [{outputs: [{name: a, path: a}], run: "echo a > ${outputs.a}"}, {inputs: [{name: a, path: a}], run: "cat ${inputs.a} > @OUT@"}]',
      writes: 'a\n',
    },
    chain: { yaml: 'type: chain\nsteps: ["echo a > @OUT@", "echo b >> @OUT@"]', writes: 'a\nb\n' },
  }),
  ...forms('tags', { words: 'tags: a, b', list: 'tags: [a, b]' }),
  ...forms('steps', {
    list: { yaml: write('one'), writes: 'one\n' },
    map: { yaml: 'steps:\n  w:\n    run: echo map > @OUT@', writes: 'map\n' },
    texts: { yaml: 'steps:\n  - echo text > @OUT@', writes: 'text\n' },
  }),
  ...forms('params', {
    words: { yaml: `params: "A=x y"\n${write('$A')}`, writes: 'x\n' },
    map: { yaml: `params: {A: x}\n${write('${params.A}')}`, writes: 'x\n' },
    list: { yaml: `params: [A: x, B: 2]\n${write('$A$B')}`, writes: 'x2\n' },
    rich: {
      yaml: `params: [{name: a, type: integer, default: 3, minimum: 1}]\n${write('${params.a}')}`,
      writes: '3\n',
    },
    schema: {
      yaml: `params: {type: object, properties: {a: {type: string, default: b}}}\n${write('${params.a}')}`,
      writes: 'b\n',
    },
    positional: { yaml: `params: x y\n${write('$1-$2')}`, writes: 'x-y\n' },
  }),
  ...forms('env', {
    map: { yaml: `env: {A: x}\n${write('$A')}`, writes: 'x\n' },
    list: { yaml: `env: [A: x, B: "\${A}y"]\n${write('$B')}`, writes: 'xy\n' },
    texts: { yaml: `env: ["A=x"]\n${write('$A')}`, writes: 'x\n' },
  }),
  ...forms('dotenv', { text: 'dotenv: .env.test', list: 'dotenv: [.env, .env.local]', none: 'dotenv: []' }),
  ...forms('consts', { list: { yaml: `consts: [a: x, n: 5]\n${write('${consts.a}${consts.n}')}`, writes: 'x5\n' } }),
  ...forms('secrets', {
    reference: 'secrets: [{name: A, provider: env, key: HOME}]',
    file: 'secrets: [{name: A, provider: file, key: /run/b}]',
  }),
  ...forms('working_dir', {
    path: { yaml: 'working_dir: /\nsteps: [pwd > @OUT@]', writes: '/\n' },
    home: 'working_dir: ~/x',
  }),
  ...forms('shell', { text: 'shell: bash -eu', list: { yaml: `shell: [sh, -e]\n${write('x')}`, writes: 'x\n' } }),
  ...forms('shell_args', { list: 'shell: sh\nshell_args: [-e]' }),
  ...forms('schedule', {
    text: 'schedule: 0 3 * * *',
    list: 'schedule: ["0 3 * * *", "0 4 * * *"]',
    map: 'schedule: {start: "0 3 * * *", stop: "0 5 * * *"}',
    zone: 'schedule: CRON_TZ=Europe/Berlin 0 3 * * MON',
    moment: 'schedule: [{kind: at, at: "2030-01-01T09:00:00Z"}]',
  }),
  ...forms('skip_if_successful', { flag: 'skip_if_successful: true' }),
  ...forms('catchup_window', { hours: 'catchup_window: 6h', days: 'catchup_window: 2d12h' }),
  ...forms('overlap_policy', {
    skip: 'overlap_policy: skip',
    all: 'overlap_policy: all',
    latest: 'overlap_policy: latest',
  }),
  ...forms('queue', { name: 'queue: reports' }),
  ...forms('max_active_steps', { number: 'max_active_steps: 2' }),
  ...forms('max_active_runs', { number: 'max_active_runs: 1', off: 'max_active_runs: -1' }),
  ...forms('timeout_sec', { number: 'timeout_sec: 60' }),
  ...forms('delay_sec', { number: 'delay_sec: 0' }),
  ...forms('max_clean_up_time_sec', { number: 'max_clean_up_time_sec: 30' }),
  ...forms('retry_policy', {
    map: 'retry_policy: {limit: 1, interval_sec: 1}',
    backoff: 'retry_policy: {limit: 2, interval_sec: 1, backoff: 1.5}',
  }),
  ...forms('restart_wait_sec', { number: 'restart_wait_sec: 1' }),
  ...forms('defaults', {
    map: { yaml: `defaults: {env: {A: x}, timeout_sec: 60}\n${write('$A')}`, writes: 'x\n' },
  }),
  ...forms('preconditions', {
    command: { yaml: `preconditions: "true"\n${write('x')}`, writes: 'x\n' },
    list: 'preconditions: [test -d /, {condition: "x", expected: x}]',
    evaluated: { yaml: `preconditions: [{eval: "$(echo 1)", expected: "1"}]\n${write('x')}`, writes: 'x\n' },
  }),
  ...forms('precondition', { command: 'precondition: "true"' }),
  ...forms('handler_on', {
    success: { yaml: 'handler_on: {success: echo done >> @OUT@}\nsteps: [echo step > @OUT@]', writes: 'step\ndone\n' },
    exit: { yaml: 'handler_on: {exit: {run: echo end >> @OUT@}}\nsteps: [echo step > @OUT@]', writes: 'step\nend\n' },
    cancel: { yaml: 'handler_on: {cancel: echo a}', isOlder: true },
  }),
  ...forms('mail_on', { map: 'mail_on: {failure: true, success: false}' }),
  ...forms('smtp', { map: 'smtp: {host: mail.example.org, port: 587, username: a, password: "${B}"}' }),
  ...forms('mail_accounts', { map: 'mail_accounts: {a@example.org: {imap: {host: h}, password: b}}' }),
  ...forms('error_mail', {
    map: 'error_mail: {from: a@example.org, to: [b@example.org], prefix: x, attach_logs: true}',
  }),
  ...forms('info_mail', { map: 'info_mail: {from: a@example.org, to: b@example.org}' }),
  ...forms('wait_mail', { map: 'wait_mail: {from: a@example.org, to: b@example.org}' }),
  ...forms('log_dir', { path: 'log_dir: /tmp/logs' }),
  ...forms('log_output', { merged: 'log_output: merged', separate: 'log_output: separate' }),
  ...forms('max_output_size', { number: 'max_output_size: 1024' }),
  ...forms('artifacts', {
    on: 'artifacts: {enabled: true}',
    folder: 'artifacts: {dir: /tmp/artifacts}',
    off: 'artifacts: {enabled: false}',
  }),
  ...forms('hist_retention_days', { number: 'hist_retention_days: 30' }),
  ...forms('hist_retention_runs', { number: 'hist_retention_runs: 10' }),
  ...forms('container', {
    image: 'container: alpine:3.20',
    map: 'container: {image: alpine, pull_policy: never, env: [A=b]}',
  }),
  ...forms('registry_auths', {
    map: 'registry_auths: {ghcr.io: {username: a, password: b}}',
    text: 'registry_auths: ${AUTHS}',
  }),
  ...forms('ssh', {
    map: 'ssh: {user: a, host: b, port: 22, key: ~/.ssh/id}\nsteps: [{action: ssh.run, with: {command: date}}]',
  }),
  ...forms('actions', {
    command: {
      yaml: 'actions: {greet: {input_schema: {type: object, properties: {who: {type: string}}}, template: {run: "echo {{ .input.who }} > @OUT@"}}}\nsteps: [{action: greet, with: {who: Ada}}]',
      writes: 'Ada\n',
    },
  }),
  ...forms('step_types', {
    command: {
      yaml: 'step_types: {greet: {type: command, template: {command: echo hi > @OUT@}}}\nsteps: [{type: greet}]',
      writes: 'hi\n',
    },
  }),
  ...forms('worker_selector', { here: 'worker_selector: local' }),
  ...forms('run_config', { map: 'run_config: {disable_param_edit: true, disable_run_id_edit: true}' }),
  ...forms('webhook', { map: 'webhook: {forward_headers: [X-Id]}' }),
  ...forms('otel', { off: 'otel: {enabled: false}', on: 'otel: {enabled: true, endpoint: "http://localhost:4318"}' }),
  ...forms('resources', { limits: 'resources: {limits: {cpu: 500m, memory: 512Mi}}' }),
  ...forms('llm', { map: 'llm: {provider: openai, model: a}' }),
  ...forms('s3', { map: 's3: {region: eu-central-1, endpoint: "http://localhost:9000"}' }),
  ...forms('redis', { map: 'redis: {host: localhost, port: 6379}' }),
  ...forms('kubernetes', { map: 'kubernetes: {namespace: jobs}' }),
  ...forms('harness', { map: 'harness: {provider: claude, model: a}' }),
  ...forms('harnesses', {
    map: {
      yaml: 'harnesses: {a: {binary: sh, prefix_args: [-c], prompt_position: after_flags}}\nsteps: [{action: harness.run, with: {provider: a, prompt: echo hi > @OUT@}}]',
      writes: 'hi\n',
    },
    stdin: 'harnesses: {a: {binary: b, prompt_mode: stdin, flag_style: single_dash, option_flags: {m: -x}}}',
  }),
  ...forms('tools', {
    list: `tools: [{name: jq, version: 1.7.1, provider: url, url: "https://x.test/jq", checksum: "sha256:${'a'.repeat(64)}"}]`,
    unlocked: { yaml: 'tools: [jq@1.7]', refused: { '*': 'unsupported_value' } },
  }),
  ...forms('tasks', {
    list: 'type: agent\nllm: {provider: local, model: a}\ntasks: [{name: a, description: b}]',
    otherType: { yaml: 'tasks: [{name: a, description: b}]', refused: { '*': 'conflicting_keys' } },
  }),
];
