import { forms, type Fragment } from './fragment';

const target = '  - {name: target, run: "true"}';
const routeRefusals = { chain: 'invalid_route', handler: 'not_in_handler', loop: 'unknown_step' };
const run = 'run: "true"\n';

/** The keys of a step, with what the step needs beside them. */
export const stepKeyFragments: readonly Fragment[] = [
  ...forms('id', { word: `id: a_1\n${run}` }),
  ...forms('name', { text: `name: a step\n${run}`, number: `name: 5\n${run}` }),
  ...forms('description', { text: `description: What it does\n${run}` }),
  ...forms('depends', { none: { yaml: `depends: []\n${run}`, refused: { chain: 'depends_not_allowed' } } }),
  ...forms('run', {
    line: { yaml: 'run: echo one > @OUT@', writes: 'one\n' },
    script: { yaml: 'run: |\n  echo one > @OUT@\n  echo two >> @OUT@', writes: 'one\ntwo\n' },
    list: { yaml: 'run: [echo one > @OUT@, echo two >> @OUT@]', writes: 'one\ntwo\n' },
  }),
  ...forms('command', {
    line: { yaml: 'command: echo one > @OUT@', writes: 'one\n' },
    list: { yaml: 'command: [echo one > @OUT@, echo two >> @OUT@]', writes: 'one\ntwo\n' },
  }),
  ...forms('script', {
    alone: { yaml: 'script: |\n  echo one > @OUT@\n  echo two >> @OUT@', writes: 'one\ntwo\n' },
    interpreted: { yaml: 'command: sh -e\nscript: |\n  echo one > @OUT@', writes: 'one\n' },
  }),
  ...forms('shell', { text: { yaml: 'shell: sh -e\nrun: echo one > @OUT@', writes: 'one\n' } }),
  ...forms('shell_args', { list: { yaml: 'shell: sh\nshell_args: [-e]\nrun: echo one > @OUT@', writes: 'one\n' } }),
  ...forms('shell_packages', { list: 'shell: nix-shell\nshell_packages: [hello]\nrun: hello' }),
  ...forms('exec', {
    text: { yaml: 'exec: cp /dev/null @OUT@', writes: '' },
    list: { yaml: 'exec: [cp, /dev/null, "@OUT@"]', writes: '' },
    map: { yaml: 'exec: {command: cp, args: [/dev/null, "@OUT@"]}', writes: '' },
  }),
  ...forms('type', {
    log: 'type: log\ncommand: hi',
    noop: 'type: noop',
    shell: { yaml: 'type: shell\ncommand: echo one > @OUT@', writes: 'one\n' },
  }),
  ...forms('config', { http: 'type: http\nconfig: {timeout: 5}\ncommand: GET https://a.example' }),
  ...forms('executor', {
    text: 'executor: jq\ncommand: .a\nscript: \'{"a": 1}\'',
    map: 'executor: {type: docker, config: {image: alpine}}\ncommand: date',
  }),
  ...forms('call', { name: 'call: child' }),
  ...forms('params', { text: 'call: child\nparams: x=1', map: 'call: child\nparams: {x: 1}' }),
  ...forms('llm', {
    map: {
      yaml: 'llm: {provider: openai, model: a}\nmessages: [{role: user, content: hi}]',
      action: 'chat.completion',
    },
  }),
  ...forms('messages', {
    list: {
      yaml: 'llm: {provider: openai, model: a}\nmessages: [{role: user, content: hi}]',
      action: 'chat.completion',
    },
  }),
  ...forms('action', { log: 'action: log.write\nwith: {message: hi}', none: 'action: noop' }),
  ...forms('with', { shell: { yaml: 'run: echo one > @OUT@\nwith: {shell: sh}', writes: 'one\n' } }),
  ...forms('working_dir', { path: { yaml: 'working_dir: /\nrun: pwd > @OUT@', writes: '/\n' } }),
  ...forms('dir', { path: { yaml: 'dir: /\nrun: pwd > @OUT@', writes: '/\n' } }),
  ...forms('env', {
    map: { yaml: 'env: {A: x}\nrun: echo "$A" > @OUT@', writes: 'x\n' },
    list: { yaml: 'env: [A: x, B: "${A}y"]\nrun: echo "$B" > @OUT@', writes: 'xy\n' },
  }),
  ...forms('preconditions', {
    met: { yaml: 'preconditions: ["true"]\nrun: echo one > @OUT@', writes: 'one\n' },
    compared: { yaml: 'preconditions: [{condition: a, expected: "re:^a$"}]\nrun: echo one > @OUT@', writes: 'one\n' },
  }),
  ...forms('precondition', { text: { yaml: 'precondition: "true"\nrun: echo one > @OUT@', writes: 'one\n' } }),
  ...forms('continue_on', {
    word: 'continue_on: failed\nrun: "false"',
    map: 'continue_on: {failure: true, skipped: true, mark_success: true}\nrun: "false"',
    codes: 'continue_on: {exit_code: [3, 4], output: [a, "re:^b"]}\nrun: exit 3',
  }),
  ...forms('retry_policy', {
    map: `retry_policy: {limit: 1, interval_sec: 0}\n${run}`,
    codes: `retry_policy: {limit: 2, interval_sec: 1, exit_code: [1, 2]}\n${run}`,
  }),
  ...forms('repeat_policy', {
    until: {
      yaml: 'repeat_policy: {repeat: until, condition: "test -s @OUT@", interval_sec: 0, limit: 3}\nrun: echo one >> @OUT@',
      writes: 'one\n',
    },
    always: `repeat_policy: {repeat: true, interval_sec: 5}\n${run}`,
  }),
  ...forms('timeout_sec', { number: `timeout_sec: 60\n${run}` }),
  ...forms('signal_on_stop', { name: `signal_on_stop: SIGINT\n${run}` }),
  ...forms('mail_on_error', { flag: `mail_on_error: true\n${run}` }),
  ...forms('stdout', {
    path: { yaml: 'stdout: "@OUT@"\nrun: echo one', writes: 'one\n' },
    artifact: 'stdout: {artifact: out.txt}\nrun: echo one',
  }),
  ...forms('stderr', {
    path: { yaml: 'stderr: "@OUT@"\nrun: echo one >&2', writes: 'one\n' },
    artifact: 'stderr: {artifact: err.txt}\nrun: echo one',
  }),
  ...forms('log_output', { merged: `log_output: merged\n${run}` }),
  ...forms('output', {
    name: `output: A\n${run}`,
    reference: { yaml: `output: $A\n${run}`, isOlder: true },
    map: 'id: a_2\noutput: {a: literal, b: {from: stdout, decode: json, select: .x}}\nrun: echo \'{"x":1}\'',
    named: { yaml: `output: {name: A, omit: true}\n${run}`, isOlder: true },
  }),
  ...forms('output_schema', { object: 'output_schema: {type: object, required: [a]}\nrun: echo \'{"a":1}\'' }),
  ...forms('outputs', { list: 'id: a_3\noutputs: [{name: x}, {name: y, type: json}]\nrun: echo x=1' }),
  ...forms('dependencies', { text: `dependencies: a.txt\n${run}`, list: `dependencies: [a.txt, "lib/**"]\n${run}` }),
  ...forms('container', { image: `container: alpine\n${run}` }),
  ...forms('worker_selector', { here: 'worker_selector: local\naction: dag.run\nwith: {dag: child}' }),
  ...forms('parallel', {
    list: 'parallel: [1, 2]\naction: dag.run\nwith: {dag: child}',
    map: 'parallel: {items: [1, 2], max_concurrent: 1}\naction: dag.run\nwith: {dag: child}',
  }),
  ...forms('foreach', {
    list: {
      yaml: 'foreach: {items: [a, b], max_concurrent: 1, steps: [{run: "echo ${foreach.item} >> @OUT@"}]}',
      writes: 'a\nb\n',
    },
  }),
  ...forms('approval', {
    map: {
      yaml: `approval: {prompt: "ok?", input: [A], required: [A]}\n${run}`,
      refused: { handler: 'not_in_handler', loop: 'approval_not_here' },
    },
  }),
  ...forms('inputs', {
    list: {
      yaml: `inputs: [{name: a, path: b}]\n${run}`,
      dag: 'type: build',
      refused: { after: 'invalid_value', chain: 'invalid_value', handler: 'invalid_value', loop: 'invalid_value' },
    },
  }),
  ...forms('pass_env', { list: 'action: dag.run\npass_env: [TOKEN]\nwith: {dag: child}' }),
  ...forms('tools', { list: `tools: [a]\n${run}` }),
  ...forms('value', {
    router: { yaml: 'type: router\nvalue: a\nroutes: {a: [target]}', dag: target, refused: routeRefusals },
  }),
  ...forms('routes', {
    router: { yaml: 'type: router\nvalue: a\nroutes: {a: [target]}', dag: target, refused: routeRefusals },
  }),
];
