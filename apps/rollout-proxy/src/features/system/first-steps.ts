import type { AdminKey } from '../access';

/** The text for a first start: the address, the file of a stored admin key, and an episode in curl. */
export function firstSteps(server: {
  readonly url: string;
  readonly adminKey: AdminKey;
  readonly modelName: string;
  readonly hasUserInterface: boolean;
}): string {
  const { url, adminKey, modelName } = server;
  const admin = '-H "authorization: Bearer $ADMIN"';
  const session = '-H "authorization: Bearer $KEY"';
  const json = '-H "content-type: application/json"';
  return [
    `Rollout proxy: ${url}`,
    ...(server.hasUserInterface ? [`Trajectories in a browser: ${url}/ui/`] : []),
    ...(adminKey.file === undefined ? [] : [`Admin key: in ${adminKey.file}`]),
    'An episode, step by step:',
    `  ADMIN=${adminValue(adminKey)}`,
    `  curl -X POST ${url}/grant_capacity ${admin}`,
    `  curl -X POST ${url}/rl/start_session ${admin} ${json} -d '{"task_id":"demo"}'`,
    '  KEY=<session_api_key of that answer>',
    `  curl -X POST ${url}/v1/chat/completions ${session} ${json} -d '${JSON.stringify({
      model: modelName,
      max_tokens: 32,
      messages: [{ role: 'user', content: 'Hello' }],
    })}'`,
    `  curl -X POST ${url}/rl/set_reward ${session} ${json} -d '{"reward":1.0}'`,
    `  curl -X POST ${url}/rl/end_session ${session}`,
    `  curl -X POST ${url}/export_trajectories ${admin} ${json} -d '{"session_id":"<session_id>","style":"concat"}'`,
    '',
  ].join('\n');
}

function adminValue({ file }: AdminKey): string {
  return file === undefined ? '<the admin key>' : `$(cat '${file.replaceAll("'", String.raw`'\''`)}')`;
}
