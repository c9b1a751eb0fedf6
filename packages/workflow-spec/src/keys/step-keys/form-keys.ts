/** Keys of deprecated forms that define the work of a step or its settings. */
export const deprecatedFormKeys = [
  'command',
  'script',
  'exec',
  'type',
  'executor',
  'config',
  'call',
  'params',
  'llm',
  'messages',
  'value',
  'routes',
] as const;

export type OldDoingKey = (typeof deprecatedFormKeys)[number];

/** Maps each deprecated key of a step to the setting that replaces it; `*` for a map of settings. */
export type MovedKeys = Readonly<Partial<Record<OldDoingKey | 'shell', string>>>;

/** The actions that deprecated forms could call, with the replacements of their keys. */
export const movedKeys: Readonly<Record<string, MovedKeys>> = {
  exec: { exec: '*', command: 'command' },
  'docker.run': { command: 'command', shell: 'shell' },
  'http.request': { script: 'body' },
  'ssh.run': { command: 'command', script: 'script', shell: 'shell' },
  'mail.send': { command: 'message', script: 'message' },
  'jq.filter': { command: 'filter', script: 'input' },
  'template.render': { script: 'template' },
  'log.write': { command: 'message', script: 'message' },
  'router.route': { value: 'value', routes: 'routes' },
  'dag.run': { call: 'dag', params: 'params' },
  'kubernetes.run': { command: 'command' },
  'chat.completion': { llm: '*', messages: 'messages' },
  'harness.run': { command: 'prompt', script: 'stdin' },
  'postgres.query': { command: 'query', script: 'query', params: 'params' },
  'sqlite.query': { command: 'query', script: 'query', params: 'params' },
};

/** The action that a deprecated key implies where no type is given. */
export const impliedActions: readonly (readonly [key: OldDoingKey, action: string])[] = [
  ['exec', 'exec'],
  ['call', 'dag.run'],
  ['routes', 'router.route'],
  ['value', 'router.route'],
  ['messages', 'chat.completion'],
  ['llm', 'chat.completion'],
];

/** Maps a deprecated step type to its action; `run` is a command. */
export const deprecatedTypes: ReadonlyMap<string, string> = new Map([
  ['command', 'run'],
  ['shell', 'run'],
  ['exec', 'exec'],
  ['docker', 'docker.run'],
  ['container', 'docker.run'],
  ['http', 'http.request'],
  ['ssh', 'ssh.run'],
  ['mail', 'mail.send'],
  ['jq', 'jq.filter'],
  ['template', 'template.render'],
  ['log', 'log.write'],
  ['noop', 'noop'],
  ['router', 'router.route'],
  ['dag', 'dag.run'],
  ['subworkflow', 'dag.run'],
  ['parallel', 'dag.run'],
  ['chat', 'chat.completion'],
  ['harness', 'harness.run'],
  ['hitl', 'human.task'],
  ['postgres', 'postgres.query'],
  ['sqlite', 'sqlite.query'],
  ['k8s', 'kubernetes.run'],
  ['kubernetes', 'kubernetes.run'],
]);

/** Step types that this version does not support, in addition to unsupported actions. */
export const unsupportedTypes: ReadonlyMap<string, string> = new Map([
  ['sftp', 'file transfer over ssh: write sftp.upload or sftp.download'],
  ['agent', 'a step that a language model performs'],
  ['gha', 'an action of GitHub'],
  ['github_action', 'an action of GitHub'],
]);
