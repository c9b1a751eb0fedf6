// The agent of packages/rollout-contract/cases/episodes.json. In a separate process it finds its model in the
// environment, otherwise in its keyword arguments.
const unserializable = () => 'not data';

exports.ScriptedAgent = class {
  run(data, kwargs) {
    const script = data.members === undefined ? data.agent : data.members[kwargs.sampleIndex].agent;
    const played = play(script, kwargs);
    if (script.then.synchronous !== true) return played;
    // Blocks its process, as synchronous code does.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    return played;
  }
};

async function play({ calls, sets = {}, then }, kwargs) {
  const model = {
    url: kwargs.baseUrl ?? process.env.LLM_BASE_URL,
    key: kwargs.apiKey ?? process.env.LLM_API_KEY,
    send: kwargs.httpClient ?? fetch,
  };
  const messages = [{ role: 'user', content: 'Begin.' }];
  const ids = [];
  for (let call = 0; call < calls; call += 1) {
    const { id, choices } = await post(model, '/chat/completions', { model: 'any', messages });
    ids.push(id);
    messages.push(choices[0].message, { role: 'user', content: `Go on, ${call}.` });
  }
  for (const [call, reward] of Object.entries(sets)) {
    await post(model, '/rl/set_reward', { reward, interaction_id: ids[call] });
  }
  return end(then, ids);
}

async function post({ url, key, send }, path, body) {
  const response = await send(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

function end(then, ids) {
  // Allows specs to kill or observe the process.
  if (then.tells === true) process.stderr.write(`agent: ${process.pid}\n`);
  switch (then.do) {
    case 'return':
      return toResult(then, ids);
    case 'raise':
      throw new Error(then.message);
    case 'hang':
      return new Promise(() => undefined);
    case 'spin':
      for (;;);
    case 'exit':
      return process.exit(then.code);
    case 'kill':
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => undefined);
    default:
      throw new Error(`The table has an unknown behaviour: ${then.do}.`);
  }
}

function toResult({ type, value }, ids) {
  if (type === 'none') return undefined;
  if (type === 'nan') return Number.NaN;
  if (type === 'unserializable') return unserializable;
  if (type !== 'dict') return value;
  return Object.fromEntries(Object.entries(value).map(([call, reward]) => [ids[call] ?? call, reward]));
}
