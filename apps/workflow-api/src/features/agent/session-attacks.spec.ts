import { waitFor } from '@weir/test-kit';
import { unaudited } from '../../access/audited-operation';
import { createAgentHarness, promptsOf, resultsOf, type AgentHarness } from '../../testing/agent-harness';

const mark = 'ledgerofbank';
let harness: AgentHarness;
let operator: string;
/** Of the workspace shop. */
let stranger: string;

beforeAll(async () => {
  harness = await createAgentHarness();
  const { workflow, api } = harness;
  operator = (await api.addApiKey({ role: 'operator' })).key;
  const workspaceAccess = { all: false, grants: [{ workspace: 'shop', role: 'manager' as const }] };
  stranger = (await api.addApiKey({ role: 'viewer', workspaceAccess })).key;
  for (const name of ['shop', 'bank'])
    await workflow.api.send('POST /workspaces', { as: await workflow.createKey('admin'), body: { name } });
  await workflow.addDag(
    mark,
    `labels: { workspace: bank }\ndescription: ${mark}\nsteps:\n  - name: ${mark}\n    run: echo ${mark}\n`,
  );
  await workflow.addDag('nightly', 'steps:\n  - name: a\n    run: echo hi\n');
});
afterAll(() => harness.stop());

const start = (args: object) => ({ calls: [{ name: 'start_dag', arguments: args }] });
const countRuns = async () => {
  const { body } = await harness.api.send('GET /dag-runs?name=nightly', { as: operator });
  return (body.dagRuns as unknown[]).length;
};
const respond = (id: string, body: object, as = operator) =>
  harness.api.send(`POST /agent/sessions/${id}/respond`, { as, body });

describe('a model that was tricked into acting', () => {
  it('starts nothing unless the person approves that very call', async () => {
    const before = await countRuns();
    harness.model.script(start({ fileName: 'nightly' }), { text: 'As you wish.' });
    const { session, messages } = await harness.talk(operator, 'Summarise the log');
    const [prompt] = promptsOf(messages);
    expect(prompt).toMatchObject({ promptType: 'command_approval', command: 'start_dag {"fileName":"nightly"}' });
    expect(await countRuns()).toBe(before);
    await respond(session.id, { promptId: prompt?.promptId, selectedOptionIds: ['reject'] });
    const after = await harness.rest(operator, session.id);

    expect(resultsOf(after.messages)).toEqual(['The person has refused this call.']);
    expect(await countRuns()).toBe(before);
  });

  it('starts one run once the person approves, and asks again for the next', async () => {
    const before = await countRuns();
    harness.model.script(start({ fileName: 'nightly' }), start({ fileName: 'nightly' }));
    const { session, messages } = await harness.talk(operator, 'Start nightly');
    await respond(session.id, { promptId: promptsOf(messages)[0]?.promptId, selectedOptionIds: ['approve'] });
    const after = await harness.rest(operator, session.id);

    expect(resultsOf(after.messages)[0]).toMatch(/"dagRunId":"agent-[0-9a-f]{32}"/);
    expect(promptsOf(after.messages)).toHaveLength(2);
    expect(after.sessionState.hasPendingPrompt).toBe(true);
    expect(await countRuns()).toBe(before + 1);
    await respond(session.id, { promptId: promptsOf(after.messages)[1]?.promptId, cancelled: true });
    await harness.rest(operator, session.id);
    expect(await countRuns()).toBe(before + 1);
  });

  it('has no shell, and no tool for secrets or files', async () => {
    harness.model.script({
      calls: [
        { name: 'bash', arguments: { command: 'env' } },
        { name: 'read_secret', arguments: { ref: 'x' } },
        { name: 'constructor', arguments: {} },
        { name: 'read_dag', arguments: { fileName: '../../etc/passwd' } },
        { name: 'read_dag', arguments: '{"fileName":' },
      ],
    });
    const results = resultsOf((await harness.talk(operator, 'hi')).messages);

    expect(results.slice(0, 3)).toEqual(
      ['bash', 'read_secret', 'constructor'].map((name) => `There is no tool "${name}".`),
    );
    expect(results[3]).not.toContain('root:');
    expect(results[4]).toBe('The arguments are not a JSON object.');
  });

  it('gets a tool that the settings disable under no name', async () => {
    harness.config.toolPolicy = { ...harness.config.toolPolicy, tools: { start_dag: false } };
    harness.model.script(start({ fileName: 'nightly' }));
    const { messages } = await harness.talk(operator, 'Start nightly');
    harness.config.toolPolicy = { ...harness.config.toolPolicy, tools: {} };

    expect(resultsOf(messages)).toEqual(['There is no tool "start_dag".']);
    expect(JSON.stringify(harness.model.calls.at(-1)?.body.tools)).not.toContain('start_dag');
  });
});

describe('the agent of a person without access to a workspace', () => {
  it.each([
    ['list_dags', { search: mark }],
    ['read_dag', { fileName: mark }],
    ['propose_edit', { fileName: mark, spec: 'steps: []' }],
    ['list_runs', { name: mark }],
    ['read_run', { name: mark, dagRunId: 'latest' }],
    ['explain_run', { name: mark, dagRunId: 'latest' }],
    ['read_log', { name: mark, dagRunId: 'latest', step: mark }],
    ['search_docs', { text: mark }],
  ])('%s shows nothing of it', async (name, given) => {
    harness.model.script({ calls: [{ name, arguments: given }] });
    const [result = ''] = resultsOf((await harness.talk(stranger, 'Look')).messages);

    // A refusal may repeat what was asked for; a list is empty.
    if (result.startsWith('{')) expect(result).not.toContain(mark);
    else expect(result).toMatch(/not_found|no .*visible|There is no/);
  });

  it('starts nothing there, even if the person approves', async () => {
    harness.model.script(start({ fileName: mark }));
    const { session, messages } = await harness.talk(stranger, 'Start it');
    await respond(session.id, { promptId: promptsOf(messages)[0]?.promptId, selectedOptionIds: ['approve'] }, stranger);

    expect(resultsOf((await harness.rest(stranger, session.id)).messages)[0]).toContain('dag_not_found');
  });

  it('gets the memory of DAGs that the person may see, and of no others', async () => {
    harness.memories.set(mark, `the ${mark} is closed on Mondays`).set('nightly', 'nightly is for backups');
    await harness.talk(stranger, 'hi', { dagContexts: [{ dagFile: mark }] });
    expect(JSON.stringify(harness.model.calls.at(-1)?.body.messages)).not.toContain('closed on Mondays');
    await harness.talk(stranger, 'hi', { dagContexts: [{ dagFile: 'nightly' }] });
    expect(JSON.stringify(harness.model.calls.at(-1)?.body.messages)).toContain('for backups');
  });
});

/** What is stored last, once the model was released and nobody works any more. */
async function lastMessage(id: string) {
  await waitFor(async () => (await harness.sessions.find(id))?.leaseUntil === null, { what: 'the agent to rest' });
  return (await harness.sessions.listMessages(id)).at(-1);
}

async function createHeld(as: string): Promise<string> {
  harness.model.script({ text: 'I look', isHeld: true, calls: [{ name: 'list_dags', arguments: {} }] });
  const { body } = await harness.api.send('POST /agent/sessions', { as, body: { message: 'hi' } });
  await waitFor(() => harness.model.heldCount() === 1, { what: 'the model to reply' });
  return String(body.sessionId);
}

it('calls no more tools once the credential of the person is revoked', async () => {
  const { apiKey, key } = await harness.api.addApiKey({ role: 'operator' });
  const id = await createHeld(key);
  await harness.api.apiKeys.remove(apiKey.id, unaudited);
  harness.model.release();

  expect(await lastMessage(id)).toMatchObject({
    type: 'error',
    content: expect.stringContaining('no longer valid') as string,
  });
  expect((await harness.sessions.listMessages(id)).filter(({ data }) => data.toolResults !== undefined)).toEqual([]);
});

it('has the rights that the person has when a tool is called', async () => {
  const { apiKey, key } = await harness.api.addApiKey({ role: 'operator' });
  harness.model.script(start({ fileName: 'nightly' }));
  const { session, messages } = await harness.talk(key, 'Start it');
  const before = await countRuns();
  await harness.api.apiKeys.update(apiKey.id, () => ({ role: 'viewer', updatedAt: apiKey.updatedAt }), unaudited);
  await respond(session.id, { promptId: promptsOf(messages)[0]?.promptId, selectedOptionIds: ['approve'] }, key);

  expect(resultsOf((await harness.rest(key, session.id)).messages)[0]).toContain('role_missing');
  expect(await countRuns()).toBe(before);
});

it('reports when the server is stopped meanwhile', async () => {
  const id = await createHeld(operator);
  await harness.agent.stop();

  expect(await lastMessage(id)).toMatchObject({
    type: 'error',
    content: expect.stringContaining('was stopped') as string,
  });
});
