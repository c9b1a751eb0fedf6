import { aUser, setUpAdmin } from '../support/people';
import { startWeir, type RequestOptions, type Weir } from '../support/weir-server';

const key = 'sk-the-key-of-a-service';
const settings = '/settings/agent';

let weir: Weir;
let admin: string;
let manager: string | undefined;

beforeAll(async () => {
  weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
  admin = await setUpAdmin(weir);
}, 60_000);
afterAll(() => weir.dispose());

const send = async (operation: string, options: RequestOptions = {}) => {
  const [method = '', address = ''] = operation.split(' ');
  const { status, body } = await weir.request(method, address, { token: admin, ...options });
  return { status, body: body as Record<string, unknown> };
};
const createModel = (name: string, more: object = {}) =>
  send(`POST ${settings}/models`, { body: { name, provider: 'local', model: 'tiny', ...more } });
const createSoul = (name: string, more: object = {}) =>
  send(`POST ${settings}/souls`, { body: { name, content: 'Be brief.', ...more } });
const asManager = async (): Promise<RequestOptions> => {
  manager ??= (await aUser(weir, admin, 'manager')).token;
  return { token: manager };
};

describe('models of the agent', () => {
  describe('POST /settings/agent/models', () => {
    it('returns 201 without the key, and the first model becomes the one that sessions use', async () => {
      const facts = { contextWindow: 8192, inputCostPer1M: 0.15, thinkingEffort: 'high' };
      const { status, body } = await createModel('Café 1', {
        apiKey: key,
        baseUrl: 'http://127.0.0.1:9/v1',
        ...facts,
      });

      expect(status).toBe(201);
      expect(body).toMatchObject({ id: 'cafe-1', apiKeyConfigured: true, inputCostPer1M: 0.15 });
      // The effort counts for models that support it.
      expect(JSON.stringify(body)).not.toMatch(/sk-the-key|thinkingEffort/);
      expect((await send(`GET ${settings}`)).body).toMatchObject({ defaultModelId: 'cafe-1' });
    });

    it('generates another id if the id derived from the name is taken', async () => {
      await createModel('A b');
      expect((await createModel('a-b')).body).toMatchObject({ id: 'a-b-2' });
    });

    it.each([
      ['a blank name', { name: ' ' }],
      ['a provider that is not known', { provider: 'x' }],
      ['an id that is no slug', { id: 'A b' }],
      ['a price below 0', { inputCostPer1M: -1 }],
      ['an address with credentials', { baseUrl: 'https://ada:pw@models.example.com' }],
      ['an address that is neither http nor https', { baseUrl: 'file:///etc/passwd' }],
    ])('returns 400 for %s', async (_, values) => {
      expect((await createModel('bad', values)).status).toBe(400);
    });

    it('returns 409 for a taken id or name', async () => {
      await createModel('Taken', { id: 'taken' });
      expect((await createModel('Other', { id: 'taken' })).body.reason).toBe('agent_model_id_taken');
      expect(await createModel('Taken')).toMatchObject({ status: 409, body: { reason: 'agent_model_name_taken' } });
    });

    it('returns 403 for a manager', async () => {
      const options = { ...(await asManager()), body: { name: 'x', provider: 'local', model: 'x' } };
      expect((await send(`POST ${settings}/models`, options)).status).toBe(403);
    });
  });

  describe('GET /settings/agent/models', () => {
    it('returns 200 with all of them, the oldest first, without a key', async () => {
      const { status, body } = await send(`GET ${settings}/models`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ defaultModelId: 'cafe-1', models: expect.any(Array) as unknown[] });
      expect((body.models as { id: string }[])[0]?.id).toBe('cafe-1');
      expect(JSON.stringify(body)).not.toContain(key);
    });
  });

  describe('PATCH /settings/agent/models/{modelId}', () => {
    it('returns 200 with the changes, and an empty key removes the key', async () => {
      await createModel('Changing', { apiKey: key });
      const change = (body: object) => send(`PATCH ${settings}/models/changing`, { body });

      expect(await change({ name: ' ', model: 'big' })).toMatchObject({
        status: 200,
        body: { name: 'Changing', model: 'big', apiKeyConfigured: true },
      });
      expect((await change({ apiKey: '' })).body).toMatchObject({ apiKeyConfigured: false });
      expect((await change({ contextWindow: -1 })).status).toBe(400);
    });

    it('removes a key that would be sent to another server', async () => {
      await createModel('Moving', { apiKey: key, baseUrl: 'https://one.example.com/v1' });
      const move = async (body: object) => (await send(`PATCH ${settings}/models/moving`, { body })).body;

      expect(await move({ baseUrl: 'https://one.example.com/v2' })).toMatchObject({ apiKeyConfigured: true });
      expect(await move({ baseUrl: 'https://evil.example.com/v2' })).toMatchObject({ apiKeyConfigured: false });
    });

    it('returns 404 for an unknown model, and 409 for a taken name', async () => {
      await createModel('Renamed');
      const body = { name: 'Moving' };
      expect((await send(`PATCH ${settings}/models/none`, { body })).status).toBe(404);
      expect((await send(`PATCH ${settings}/models/renamed`, { body })).status).toBe(409);
    });
  });

  describe('PUT /settings/agent/default-model', () => {
    it('returns 200, and 404 for an unknown model', async () => {
      const choose = (modelId: string) => send(`PUT ${settings}/default-model`, { body: { modelId } });
      expect(await choose('moving')).toMatchObject({ status: 200, body: { defaultModelId: 'moving' } });
      expect((await choose('none')).status).toBe(404);
    });
  });

  describe('DELETE /settings/agent/models/{modelId}', () => {
    it('returns 204, and the oldest of the others is used', async () => {
      expect((await send(`DELETE ${settings}/models/moving`)).status).toBe(204);
      expect((await send(`GET ${settings}/models`)).body).toMatchObject({ defaultModelId: 'cafe-1' });
      expect((await send(`DELETE ${settings}/models/moving`)).status).toBe(404);
    });
  });

  describe('GET /settings/agent/model-presets', () => {
    it('returns 200 with models that can be added unchanged', async () => {
      const { status, body } = await send(`GET ${settings}/model-presets`);
      const [first] = body.presets as object[];
      expect(status).toBe(200);
      expect((await send(`POST ${settings}/models`, { body: first })).status).toBe(201);
    });
  });
});

describe('souls of the agent', () => {
  describe('POST /settings/agent/souls', () => {
    it('returns 201, 400 without content, and 409 for a taken id or name', async () => {
      expect(await createSoul('Kind')).toMatchObject({ status: 201, body: { id: 'kind', content: 'Be brief.' } });
      expect((await createSoul('Empty', { content: ' ' })).status).toBe(400);
      expect((await createSoul('Other', { id: 'kind' })).body.reason).toBe('agent_soul_id_taken');
      expect((await createSoul('Kind')).status).toBe(409);
    });
  });

  describe('GET /settings/agent/souls', () => {
    it('returns 200 with the matching souls, without their content', async () => {
      await createSoul('Strict');
      const { status, body } = await send(`GET ${settings}/souls?q=STRI&perPage=1`);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          souls: [{ id: 'strict', name: 'Strict' }],
          pagination: { totalRecords: 1, currentPage: 1, totalPages: 1, nextPage: 1, prevPage: 1 },
        },
      });
    });
  });

  describe('GET /settings/agent/souls/{soulId}', () => {
    it('returns 200 with its content, 400 for an invalid id, and 404 for an unknown one', async () => {
      expect(await send(`GET ${settings}/souls/kind`)).toMatchObject({ status: 200, body: { content: 'Be brief.' } });
      expect((await send(`GET ${settings}/souls/A_b`)).status).toBe(400);
      expect((await send(`GET ${settings}/souls/none`)).status).toBe(404);
    });
  });

  describe('PATCH /settings/agent/souls/{soulId}', () => {
    it('returns 200 with the changes, 404 for an unknown one, and 409 for a taken name', async () => {
      const change = (id: string, body: object) => send(`PATCH ${settings}/souls/${id}`, { body });
      expect(await change('kind', { content: 'Be kind.', name: '' })).toMatchObject({
        status: 200,
        body: { name: 'Kind', content: 'Be kind.' },
      });
      expect((await change('none', {})).status).toBe(404);
      expect((await change('kind', { name: 'Strict' })).status).toBe(409);
      expect((await change('kind', { name: 7 })).status).toBe(400);
    });
  });

  describe('DELETE /settings/agent/souls/{soulId}', () => {
    it('returns 204, and sessions begin without it', async () => {
      await send(`PATCH ${settings}`, { body: { selectedSoulId: 'kind' } });
      expect((await send(`DELETE ${settings}/souls/kind`)).status).toBe(204);
      expect((await send(`GET ${settings}`)).body).toMatchObject({ selectedSoulId: null });
      expect((await send(`DELETE ${settings}/souls/kind`)).status).toBe(404);
    });
  });
});

describe('what the agent may do', () => {
  describe('GET /settings/agent/tools', () => {
    it('returns 200 with its tools', async () => {
      const { status, body } = await send(`GET ${settings}/tools`);
      expect(status).toBe(200);
      expect((body.tools as { name: string }[]).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['read_dag', 'propose_edit', 'start_dag', 'read_log']),
      );
    });
  });

  describe('PATCH /settings/agent', () => {
    it('returns 200 with all settings, with defaults for omitted parts of a policy', async () => {
      const toolPolicy = { tools: { start_dag: false, bash: false } };
      const { status, body } = await send(`PATCH ${settings}`, { body: { toolPolicy, limits: { maxSteps: 3 } } });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        enabled: true,
        webSearch: { enabled: true },
        limits: { maxSteps: 3, maxTokens: 2_000_000, maxCost: 10 },
        toolPolicy: { bash: { rules: [], defaultBehavior: 'allow', denyBehavior: 'ask_user' } },
      });
      const { tools } = body.toolPolicy as { readonly tools: Record<string, boolean> };
      expect(tools).toMatchObject({ start_dag: false, read_dag: true });
      expect(tools).not.toHaveProperty('bash');
    });

    it.each([
      ['a rule that is no pattern', { toolPolicy: { bash: { rules: [{ pattern: '(', action: 'deny' }] } } }],
      ['an unknown soul', { selectedSoulId: 'none' }],
      ['an unknown model', { defaultModelId: 'none' }],
      ['a limit of no steps', { limits: { maxSteps: 0 } }],
    ])('returns 400 for %s', async (_, body) => {
      expect((await send(`PATCH ${settings}`, { body })).status).toBe(400);
    });
  });

  describe('GET /settings/agent', () => {
    it('returns 200 with the same settings after a restart', async () => {
      const before = await send(`GET ${settings}`);
      await weir.process.stop();
      weir = await weir.restart();
      expect(before.status).toBe(200);
      expect(await send(`GET ${settings}`)).toEqual(before);
    });
  });
});
