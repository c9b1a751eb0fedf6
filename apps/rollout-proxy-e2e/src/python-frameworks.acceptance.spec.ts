import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { ExportResponse } from '@weir/rollout-contract';
import type { FakeAnswer } from '@weir/fake-engine';
import { describeUnless, spawnProcess, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { toText } from './support/byte-tokenizer';
import { saying, startFakeSetting, type FakeSetting } from './support/fake-setting';
import { adminKey } from './support/rollout-proxy';

const repository = path.resolve(__dirname, '../../..');
const agents = path.join(repository, 'python/weir-rollout/tests/frameworks');
const limitMs = 300_000;

function findPython(name: string): { readonly python?: string; readonly missing?: string } {
  const script = path.join(repository, 'tools/setup/python-environment.mjs');
  const { stdout } = spawnSync(process.execPath, [script, name, '--if-installed'], { encoding: 'utf8' });
  return JSON.parse(stdout) as { readonly python?: string; readonly missing?: string };
}

const frameworks = findPython('frameworks');
// It needs an older version of the official client than the others.
const verifiers = findPython('verifiers');

interface Outcome {
  readonly status: string;
  readonly reward: number;
  readonly exported: ExportResponse;
}

let fake: FakeSetting;
let home: TemporaryFolder;
beforeAll(async () => {
  home = temporaryFolder('weir-frameworks-');
  fake = await startFakeSetting('sglang');
});
afterAll(async () => {
  await fake.stop();
  await home.remove();
});

/** Plays with the command for trainers in `subproc` mode: a framework has only LLM_BASE_URL and LLM_API_KEY. */
async function play(python: string, agent: string): Promise<Outcome> {
  const data = JSON.stringify({ question: 'What is 2 + 3?', folder: home.path, task: 0 });
  const child = await spawnProcess({
    command: path.join(path.dirname(python), 'weir-rollout'),
    args: ['episode', `${agent}:Adder`, '--mode', 'subproc', '--data', data, '--url', fake.proxy.url],
    cwd: agents,
    env: {
      HOME: home.path,
      ROLLOUT_ADMIN_KEY: adminKey,
      PYTHONPYCACHEPREFIX: path.join(repository, '.runtime/python-cache'),
    },
    deadlineMs: limitMs,
  });
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`${agent} ended with ${code}:\n${child.stdout()}${child.stderr()}`);
  return JSON.parse(child.stdout()) as Outcome;
}

/** Engines end such an answer with the token that completes the stop string. */
const stopped = (text: string): FakeAnswer => ({ ids: saying(text).ids.slice(0, -1), finishReason: 'stop' });

const toolCall = (name: string) =>
  saying(`<tool_call>\n{"name": "${name}", "arguments": {"a": 2, "b": 3}}\n</tool_call>`);

async function expectTwoTurns(python: string, agent: string, tool: string): Promise<void> {
  const answers = [toolCall(tool), saying('It is 5.')];
  fake.engine.setScript(() => answers.shift() ?? saying('Too many calls.'));

  const { status, reward, exported } = await play(python, agent);

  expect({ status, reward }).toEqual({ status: 'completed', reward: 1 });
  const [asked, answered, ...more] = Object.values(exported.interactions);
  expect(answered?.parent_id).toBe(asked?.interaction_id);
  expect(more).toEqual([]);
}

describeUnless(frameworks.missing, 'the frameworks for Python were not tested')('an unmodified framework', () => {
  const { python = '' } = frameworks;

  it.each([
    ['openai-agents', 'openai_agents_adder', 'add'],
    ['langchain-openai', 'langchain_adder', 'add'],
    ['pydantic-ai', 'pydantic_ai_adder', 'add'],
    ['litellm', 'litellm_adder', 'add'],
    ['claude-agent-sdk', 'claude_agent_adder', 'mcp__numbers__add'],
    ['google-genai', 'google_genai_adder', 'add'],
  ])(
    'plays a tool over two turns, the second continuing the first: %s',
    (_name, agent, tool) => expectTwoTurns(python, agent, tool),
    limitMs,
  );

  it(
    'runs code over two turns, the second continuing the first although it adds to its answers: smolagents',
    async () => {
      const answers = [
        stopped('<code>\nprint(add(2, 3))\n</code>'),
        stopped('<code>\nfinal_answer("It is 5.")\n</code>'),
      ];
      fake.engine.setScript(() => answers.shift() ?? saying('Too many calls.'));

      const { status, reward, exported } = await play(python, 'smolagents_adder');

      expect({ status, reward }).toEqual({ status: 'completed', reward: 1 });
      expect(exported.report).toMatchObject({ rows: 2, quarantined: [], mismatches: { counts: {} } });
      const [first, second] = Object.values(exported.interactions);
      expect(second?.parent_id).toBe(first?.interaction_id);
      const prompt = toText(fake.calls().at(-1)?.request.promptIds ?? []);
      expect(prompt).toMatch(/<code>\nprint\(add\(2, 3\)\)\n<\/code>\nCalling tools:\n\[.*\]\nuser\n/);
    },
    limitMs,
  );
});

describeUnless(verifiers.missing, 'verifiers was not tested')('an environment of verifiers', () => {
  it(
    'plays a tool over two turns, the second continuing the first, and sets the reward',
    () => expectTwoTurns(verifiers.python ?? '', 'verifiers_adder', 'add'),
    limitMs,
  );
});
