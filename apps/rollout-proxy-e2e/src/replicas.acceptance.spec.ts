import type { GenerateContentResponse } from '@google/genai';
import { waitFor } from '@weir/test-kit';
import { joinEpisode, startEpisode, type Episode } from './support/episode';
import { createConversation, startReplicaSetting, trainedRows, type ReplicaSetting } from './support/replica-setting';
import { adminKey, type RolloutProxy } from './support/rollout-proxy';

jest.setTimeout(140_000);

const capacity = 6;
let setting: ReplicaSetting;
let owner: RolloutProxy;
let other: RolloutProxy;

beforeAll(async () => {
  setting = await startReplicaSetting(2, { ROLLOUT_CAPACITY: String(capacity), ROLLOUT_MAX_BODY_BYTES: '100000' });
  [owner, other] = setting.replicas as [RolloutProxy, RolloutProxy];
});
afterEach(() => setting.answer());
afterAll(() => setting.stop());

const at = (proxy: RolloutProxy, { id, key }: Episode) => joinEpisode(proxy, id, key);
const google = { model: 'm', contents: 'Who has this?' };
const messages = [{ role: 'user' as const, content: 'Who has this session?' }];

describe('a call to a replica that does not own the session', () => {
  let episode: Episode;
  beforeAll(async () => {
    episode = at(other, await startEpisode(owner, 'forwarded'));
  });
  afterAll(async () => {
    await other.createClient().deleteSession({ params: { sessionId: episode.id } });
  });
  const interactions = async () =>
    (await owner.createClient().getSession({ params: { sessionId: episode.id } })).interactions.length;

  it.each<readonly [string, () => Promise<string | null | undefined>]>([
    [
      'a chat completion',
      async () =>
        (await episode.openai().chat.completions.create({ model: 'm', messages })).choices[0]?.message.content,
    ],
    [
      'a streamed chat completion',
      async () => {
        const stream = episode.openai().chat.completions.stream({ model: 'm', messages });
        return (await stream.finalChatCompletion()).choices[0]?.message.content;
      },
    ],
    [
      'a response',
      async () => (await episode.openai().responses.create({ model: 'm', input: 'Who has this?' })).output_text,
    ],
    [
      'a streamed response',
      async () =>
        (await episode.openai().responses.stream({ model: 'm', input: 'Who has this?' }).finalResponse()).output_text,
    ],
    [
      'a message',
      async () => {
        const { content } = await episode.anthropic().messages.create({ model: 'm', max_tokens: 64, messages });
        return content[0]?.type === 'text' ? content[0].text : undefined;
      },
    ],
    [
      'a streamed message',
      async () => episode.anthropic().messages.stream({ model: 'm', max_tokens: 64, messages }).finalText(),
    ],
    ['generated content', async () => (await episode.google().models.generateContent(google)).text],
    [
      'streamed content',
      async () => {
        let text = '';
        for await (const chunk of await episode.google().models.generateContentStream(google)) text += chunk.text ?? '';
        return text;
      },
    ],
    [
      'content with the key in its address',
      async () => {
        const path = `/v1beta/models/m:generateContent?key=${episode.key}`;
        const { text } = await other.request(path, { key: null, body: { contents: [{ parts: [{ text: 'Who?' }] }] } });
        return (JSON.parse(text) as GenerateContentResponse).candidates?.[0]?.content?.parts?.[0]?.text;
      },
    ],
  ])('is forwarded: %s', async (_name, call) => {
    const before = await interactions();

    expect(await call()).toMatch(/^answer to \d+ .* end$/);

    expect(await interactions()).toBe(before + 1);
    expect(await setting.ownerOf(episode.id)).toBe(owner.url);
  });

  it.each([
    ['', 200],
    ['/unknown', 404],
  ])('has all headers of an answer by its owner%s with %i', async (more, status) => {
    const names = async (proxy: RolloutProxy) => {
      const answer = await fetch(`${proxy.url}/rl/sessions/${episode.id}${more}`, {
        headers: { authorization: `Bearer ${adminKey}` },
      });
      expect(answer.status).toBe(status);
      return [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
    };

    const forwarded = await names(other);

    expect(forwarded).toEqual(await names(owner));
    expect(forwarded.map(([name]) => name)).toEqual(expect.arrayContaining(['cache-control', 'x-frame-options']));
  });

  it('ends its generation when the client disconnects', async () => {
    setting.holdAnswers();
    const leaving = new AbortController();
    const call = other
      .request('/v1/chat/completions', {
        key: episode.key,
        body: { model: 'm', messages, stream: true },
        signal: leaving.signal,
      })
      .catch(() => 'left');
    await waitFor(() => setting.engine.heldCount() === 1, { what: 'the generation to run' });
    const before = await interactions();

    leaving.abort();

    expect(await call).toBe('left');
    await waitFor(() => setting.engine.heldCount() === 0, { what: 'the generation to end' });
    expect(await interactions()).toBe(before);
  });

  it.each([
    ['a body that is too large', 413, { body: { messages: [{ role: 'user', content: 'x'.repeat(200_000) }] } }],
    ['an unknown key', 401, { key: 'no-key-of-any-session' }],
    ['a mark of another replica that is not one', 403, { headers: { 'x-weir-replica': `1.2.${'a'.repeat(43)}` } }],
  ])('is refused for %s with %i', async (_name, status, options) => {
    const call = { key: episode.key, body: { model: 'm', messages }, ...options };
    const answer = await other.request('/v1/chat/completions', call);

    expect(answer.status).toBe(status);
  });
});

describe('a trainer that talks to any replica', () => {
  it('rewards, ends, exports and acknowledges a session of another one', async () => {
    const episode = await startEpisode(owner, 'trained');
    const conversation = createConversation();
    const first = await conversation.ask(episode);
    await conversation.ask(at(other, episode));
    const remote = other.createClient();

    await remote.setReward({ body: { session_id: episode.id, interaction_id: first, reward: 2 } });
    await at(other, episode).reward(1);
    expect(await remote.endSession({ body: { session_id: episode.id } })).toMatchObject({ interaction_count: 2 });
    const [here, there] = await Promise.all([episode.exported(), at(other, episode).exported()]);
    expect(trainedRows(there)).toEqual(trainedRows(here));
    expect(await at(other, episode).exportedFile()).toEqual(await episode.exportedFile());
    await remote.acknowledgeExport({ body: { session_id: episode.id } });

    for (const proxy of [owner, other]) {
      const gone = await proxy.request(`/rl/sessions/${episode.id}`, { method: 'GET' });
      expect([gone.status, gone.body.reason]).toEqual([404, 'session_not_found']);
    }
  });

  it('sees the sessions of all replicas, in pages, as tasks and in the status', async () => {
    const started = [
      await startEpisode(owner, 'seen'),
      await startEpisode(other, 'seen'),
      await startEpisode(owner, 'seen'),
    ];
    for (const episode of started) await createConversation().ask(episode);
    const ids = started.map(({ id }) => id);

    for (const proxy of [owner, other]) {
      const client = proxy.createClient();
      const query = { task_id: 'seen', limit: 2 };
      const page = await client.listSessions({ query });
      const rest = await client.listSessions({ query: { ...query, cursor: page.next_cursor ?? '' } });
      expect([...page.sessions, ...rest.sessions].map(({ session_id: id }) => id)).toEqual(ids);
      expect(rest.next_cursor).toBeNull();
      expect((await client.listTasks({ query: { text: 'seen' } })).tasks).toMatchObject([{ sessions: 3 }]);
      const status = await client.getStatus();
      expect(status.replicas.map(({ address }) => address).sort()).toEqual([owner.url, other.url].sort());
      expect(status).toMatchObject({ sessions: 3, unfinished_sessions: 3 });
    }
    for (const sessionId of ids) await other.createClient().deleteSession({ params: { sessionId } });
  });

  it('receives the same session for a start that is repeated at another replica', async () => {
    await owner.createClient().grantCapacity();
    const start = (proxy: RolloutProxy) =>
      proxy.request('/rl/start_session', { body: { task_id: 'again' }, headers: { 'idempotency-key': 'start-1' } });

    const [one, two] = await Promise.all([start(owner), start(other)]);
    const again = await start(owner);

    const answers = [one, two, again].filter(({ status }) => status === 200).map(({ body }) => body);
    expect(new Set(answers.map((body) => body.session_id)).size).toBe(1);
    expect(again.status).toBe(200);
    await other.createClient().deleteSession({ params: { sessionId: String(again.body.session_id) } });
  });

  it('shares one capacity between all replicas', async () => {
    const granted = await Promise.all(
      Array.from({ length: capacity + 4 }, (_, index) => (index % 2 === 0 ? owner : other).request('/grant_capacity')),
    );

    expect(granted.filter((answer) => answer.status === 200)).toHaveLength(capacity);
    for (const proxy of [owner, other]) {
      const full = await proxy.request('/grant_capacity');
      expect([full.status, full.body.reason]).toEqual([429, 'capacity_exhausted']);
    }
    const started = await other.createClient().startSession({ body: { task_id: 'last' } });
    await owner.createClient().deleteSession({ params: { sessionId: started.session_id } });
    await owner.createClient().grantCapacity();
    await setting.query('DELETE FROM weir_rollout.capacity_grant');
  });

  it('pauses and versions the generation of all replicas, including those that join', async () => {
    await owner.createClient().pauseGeneration();
    await other.createClient().setVersion({ body: { version: 3 } });
    const joined = await setting.join();
    const everywhere = [owner, other, joined];
    const statuses = async () => {
      const all = await Promise.all(everywhere.map((proxy) => proxy.createClient().getStatus()));
      return all.map(({ paused, version }) => ({ paused, version }));
    };
    expect(await statuses()).toEqual(everywhere.map(() => ({ paused: true, version: 3 })));

    await joined.createClient().continueGeneration();

    expect(await statuses()).toEqual(everywhere.map(() => ({ paused: false, version: 3 })));
    await joined.dispose();
  });
});
