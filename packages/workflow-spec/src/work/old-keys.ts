/** Keys of the old forms that say what a step does, or with what. */
export const oldDoingKeys = [
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

export type OldDoingKey = (typeof oldDoingKeys)[number];

/** Which setting of an action each old key of the step has become; `*` for a map of settings. */
export type MovedKeys = Readonly<Partial<Record<OldDoingKey | 'shell', string>>>;

/** The actions that old forms could call, and what became of the keys beside them. */
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
  'chat.completion': { llm: '*', messages: 'messages' },
  'postgres.query': { command: 'query', script: 'query', params: 'params' },
  'sqlite.query': { command: 'query', script: 'query', params: 'params' },
};

/** The action that an old key stands for where no type is given. */
export const impliedActions: readonly (readonly [key: OldDoingKey, action: string])[] = [
  ['exec', 'exec'],
  ['call', 'dag.run'],
  ['routes', 'router.route'],
  ['value', 'router.route'],
  ['messages', 'chat.completion'],
  ['llm', 'chat.completion'],
];

/** From a step type of the old forms to the action; `run` is a command. */
export const oldTypes: ReadonlyMap<string, string> = new Map([
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
  ['hitl', 'human.task'],
  ['postgres', 'postgres.query'],
  ['sqlite', 'sqlite.query'],
]);

/** Step types that this version refuses, beside those whose actions it refuses. */
export const unsupportedTypes: ReadonlyMap<string, string> = new Map([
  ['k8s', 'a job on kubernetes'],
  ['agent', 'a step that a language model carries out'],
  ['gha', 'an action of GitHub'],
  ['github_action', 'an action of GitHub'],
]);
