import { randomUUID } from 'node:crypto';
import { waitFor } from '@weir/test-kit';
import { createAgentHarness, promptsOf, resultsOf, type AgentHarness } from '../../testing/agent-harness';

let harness: AgentHarness;
/** Keys of two people. */
let ada: string;
let bob: string;

beforeAll(async () => {
  harness = await createAgentHarness();
  ada = (await harness.api.addApiKey({ role: 'developer' })).key;
  bob = (await harness.api.addApiKey({ role: 'developer' })).key;
  await harness.workflow.addDag('nightly', 'steps:\n  - name: a\n    run: echo hi\n');
});
afterAll(() => harness.stop());

const post = (address: string, body: object, as = ada) =>
  harness.api.send(`POST /agent/sessions${address as '/'}`, { as, body });
const types = (messages: readonly { readonly type: string }[]) => messages.map(({ type }) => type);

describe('POST /agent/sessions', () => {
  it('returns 201, and the agent replies with what it looked up', async () => {
    harness.model.script({ calls: [{ name: 'list_dags', arguments: {} }] }, { text: ['There is ', 'nightly.'] });
    const { messages, session, sessionState } = await harness.talk(ada, 'Which DAGs are there?');

    expect(types(messages)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(messages.map(({ sequenceId }) => sequenceId)).toEqual([1, 2, 3, 4]);
    expect(resultsOf(messages)[0]).toContain('nightly');
    expect(messages[3]).toMatchObject({ content: 'There is nightly.', usage: { totalTokens: 15 }, cost: 0.02 });
    expect(session).toMatchObject({ title: 'Which DAGs are there?' });
    expect(sessionState).toMatchObject({ working: false, totalCost: 0.04 });
    expect(harness.model.calls.at(-1)).toMatchObject({ key: 'Bearer hunter2', body: { model: 'small-1' } });
  });

  it('returns 201 twice for the same id, and adds nothing the second time', async () => {
    const sessionId = randomUUID();
    expect((await post('', { message: 'one', sessionId })).body).toEqual({ sessionId, status: 'accepted' });
    expect((await post('', { message: 'two', sessionId })).body).toEqual({ sessionId, status: 'already_exists' });

    const { messages } = await harness.rest(ada, sessionId);
    expect(messages.filter(({ type }) => type === 'user')).toHaveLength(1);
    expect((await post('', { message: 'x', sessionId }, bob)).status).toBe(409);
  });

  it.each([
    ['a blank message', { message: '  ' }],
    ['an id that is no UUID', { message: 'hi', sessionId: 'mine' }],
    ['a soul that is not there', { message: 'hi', soulId: 'none' }],
  ])('returns 400 for %s', async (_, body) => {
    expect((await post('', body)).status).toBe(400);
  });

  it('returns 401 without a credential', async () => {
    expect((await harness.api.send('POST /agent/sessions', { body: { message: 'hi' } })).status).toBe(401);
  });

  it('returns 404 while the agent is disabled', async () => {
    harness.config.isEnabled = false;
    const answer = await post('', { message: 'hi' });
    harness.config.isEnabled = true;

    expect(answer).toMatchObject({ status: 404, body: { reason: 'agent_disabled' } });
  });

  it('returns 503 without a model', async () => {
    expect(await post('', { message: 'hi', model: 'none' })).toMatchObject({
      status: 503,
      body: { code: 'internal_error', reason: 'agent_model_missing' },
    });
  });
});

describe('GET /agent/sessions', () => {
  it('returns 200 with the newest three of the caller, and none of others', async () => {
    const ids: string[] = [];
    for (const message of ['one', 'two', 'three', 'four']) ids.unshift((await harness.talk(bob, message)).session.id);
    const { status, body } = await harness.api.send('GET /agent/sessions', { as: bob });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      sessions: ids.slice(0, 3).map((id) => ({ sessionId: id, session: { id } })),
      pagination: { totalRecords: 3 },
    });
  });
});

describe('POST /agent/sessions/{sessionId}/chat', () => {
  it('returns 202, and the model gets the whole conversation', async () => {
    const { session } = await harness.talk(ada, 'one');
    expect(await post(`/${session.id}/chat`, { message: 'two' })).toMatchObject({
      status: 202,
      body: { status: 'accepted' },
    });
    const { messages } = await harness.rest(ada, session.id);

    expect(types(messages)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect((harness.model.calls.at(-1)?.body.messages as unknown[] | undefined)?.slice(1)).toMatchObject([
      { content: 'one' },
      { content: 'Done.' },
      { content: 'two' },
    ]);
  });

  it('is read by a working agent, and shown meanwhile', async () => {
    harness.model.script({ text: 'I think', isHeld: true }, { text: 'Now I know.' });
    const { body } = await post('', { message: 'one' });
    const id = String(body.sessionId);
    await waitFor(async () => (await harness.read(ada, id)).partialContent === 'I think', {
      what: 'the text to be shown',
    });
    await post(`/${id}/chat`, { message: 'two' });
    expect((await harness.read(ada, id)).sessionState.working).toBe(true);
    harness.model.release();
    const { messages } = await harness.rest(ada, id);

    expect(messages.at(-1)).toMatchObject({ type: 'assistant' });
    expect(types(messages)).toContain('user');
    expect(messages.filter(({ type }) => type === 'user')).toHaveLength(2);
  });

  it('returns 400 for a blank message, and 404 for a session of another person', async () => {
    const { session } = await harness.talk(ada, 'one');
    expect((await post(`/${session.id}/chat`, { message: '' })).status).toBe(400);
    expect(await post(`/${session.id}/chat`, { message: 'x' }, bob)).toMatchObject({
      status: 404,
      body: { reason: 'agent_session_not_found' },
    });
    expect((await post(`/${session.id}/chat`, { message: 'x', model: 'none' })).status).toBe(503);
  });
});

describe('POST /agent/sessions/{sessionId}/cancel', () => {
  it('returns 200, and ends the request to the model', async () => {
    harness.model.script({ text: 'I think', isHeld: true });
    const { body } = await post('', { message: 'one' });
    const id = String(body.sessionId);
    await waitFor(() => harness.model.heldCount() === 1, { what: 'the model to reply' });
    expect(await post(`/${id}/cancel`, {})).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    await waitFor(() => harness.model.heldCount() === 0, { what: 'the request to end' });

    expect(types((await harness.read(ada, id)).messages)).toEqual(['user', 'error']);
    await post(`/${id}/chat`, { message: 'two' });
    expect((await harness.rest(ada, id)).messages.at(-1)).toMatchObject({ type: 'assistant', content: 'Done.' });
    expect((await post(`/${id}/cancel`, {}, bob)).status).toBe(404);
  });
});

describe('POST /agent/sessions/{sessionId}/respond', () => {
  const question = { name: 'ask_user', arguments: { question: 'Which?', options: ['red', 'blue'] } };

  it('returns 200, and the model gets the answer; 410 the second time', async () => {
    harness.model.script({ calls: [question] }, { text: 'Blue it is.' });
    const { session, sessionState, messages } = await harness.talk(ada, 'Paint it');
    const [prompt] = promptsOf(messages);
    const promptId = prompt?.promptId ?? '';
    expect(sessionState).toMatchObject({ working: false, hasPendingPrompt: true });
    expect(prompt).toMatchObject({
      question: 'Which?',
      options: [
        { id: '1', label: 'red' },
        { id: '2', label: 'blue' },
      ],
    });
    const respond = (body: object, as = ada) => post(`/${session.id}/respond`, { promptId, ...body }, as);

    expect((await respond({ selectedOptionIds: ['3'] })).body.reason).toBe('agent_answer_invalid');
    expect((await respond({})).status).toBe(400);
    expect((await respond({ selectedOptionIds: ['1', '2'] })).status).toBe(400);
    expect((await respond({ selectedOptionIds: ['2'] }, bob)).status).toBe(404);
    expect((await respond({ selectedOptionIds: ['2'], freeTextResponse: 'dark' })).status).toBe(200);
    const after = await harness.rest(ada, session.id);
    expect(resultsOf(after.messages)).toEqual(['blue\ndark']);
    expect(await respond({ selectedOptionIds: ['2'] })).toMatchObject({
      status: 410,
      body: { code: 'not_found', reason: 'agent_prompt_gone' },
    });
  });

  it('returns 410 once the person has written instead, or has cancelled', async () => {
    for (const [address, body] of [
      ['chat', { message: 'Never mind' }],
      ['cancel', {}],
    ] as const) {
      harness.model.script({ calls: [question] });
      const { session, messages } = await harness.talk(ada, 'Paint it');
      await post(`/${session.id}/${address}`, body);
      await harness.rest(ada, session.id);

      const promptId = promptsOf(messages)[0]?.promptId;
      expect((await post(`/${session.id}/respond`, { promptId, selectedOptionIds: ['1'] })).status).toBe(410);
    }
  });
});

describe('the work of the agent', () => {
  it.each<[string, object, RegExp]>([
    ['the limit of steps', { limits: { maxSteps: 2, maxTokens: 1e6, maxCost: 10 } }, /2 steps for one message/],
    ['the limit of tokens', { limits: { maxSteps: 9, maxTokens: 20, maxCost: 10 } }, /used 30 tokens; its limit is 20/],
    ['the limit of cost', { limits: { maxSteps: 9, maxTokens: 1e6, maxCost: 0.03 } }, /cost 0\.04 US dollars/],
  ])('ends at %s, with the reason', async (_, changes, reason) => {
    const before = { ...harness.config };
    Object.assign(harness.config, changes);
    const call = { calls: [{ name: 'list_dags', arguments: {} }] };
    harness.model.script(call, call, { text: 'not asked' });
    const { messages, sessionState } = await harness.talk(ada, 'Look again and again');
    Object.assign(harness.config, before);
    // The reply that was not asked for.
    await harness.talk(ada, 'next');

    expect(messages.at(-1)).toMatchObject({ type: 'error', content: expect.stringMatching(reason) as string });
    expect(sessionState.working).toBe(false);
  });

  it('ends when a model refuses', async () => {
    harness.model.script({ status: 400 });
    expect((await harness.talk(ada, 'hi')).messages.at(-1)).toMatchObject({
      type: 'error',
      content: 'The model refused this (status 400).',
    });
  });
});
