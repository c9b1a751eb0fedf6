import { profileLimits } from '@weir/workflow-contract';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const send = (operation: `${string} /${string}`, body?: object, as = workflow.asAdmin) =>
  workflow.server.api.send(operation, { as, ...(body === undefined ? {} : { body }) });
const create = (name: string, more: object = {}) => send('POST /profiles', { name, ...more });
const refused = (status: number, reason: string) => ({ status, body: { reason } });

describe('a profile', () => {
  it('is shown without the values of its secrets, to everybody', async () => {
    await create('staging', { description: 'Before production' });
    await send('PUT /profiles/staging/variables/HOST', { value: 'staging.example' });
    const written = await send('PUT /profiles/staging/secrets/TOKEN', { value: 'hunter22' });
    const as = await workflow.server.createKey('viewer');
    const shown = await send('GET /profiles/staging', undefined, as);

    expect(shown).toMatchObject({
      status: 200,
      body: {
        name: 'staging',
        description: 'Before production',
        status: 'active',
        protected: false,
        entries: [
          { key: 'HOST', kind: 'variable', value: 'staging.example' },
          { key: 'TOKEN', kind: 'secret' },
        ],
      },
    });
    const audit = await send('GET /audit?limit=50');
    expect(JSON.stringify([written, shown, audit])).not.toContain('hunter22');
    expect(JSON.stringify(audit)).toContain('profile_secret_set');
  });

  it('is changed by managers of all workspaces only', async () => {
    await create('staging');
    const manager = await workflow.server.createKey('manager');
    const developer = await workflow.server.createKey('developer');
    const limited = await workflow.server.createKey('manager', { ops: 'manager' });

    expect(await send('PATCH /profiles/staging', { status: 'disabled' }, manager)).toMatchObject({
      status: 200,
      body: { status: 'disabled' },
    });
    expect((await send('PATCH /profiles/staging', {}, developer)).status).toBe(403);
    expect((await send('PATCH /profiles/staging', {}, limited)).status).toBe(403);
    expect((await send('GET /profiles/_global', undefined, manager)).status).toBe(403);
  });

  it('that is protected exists for administrators only', async () => {
    await create('production', { protected: true });
    await create('staging');
    const manager = await workflow.server.createKey('manager');

    expect(await send('GET /profiles', undefined, manager)).toMatchObject({
      body: { profiles: [{ name: 'staging' }] },
    });
    expect(await send('GET /profiles/production', undefined, manager)).toMatchObject(refused(403, 'profile_protected'));
    expect((await send('PUT /profiles/production/variables/A', { value: '' }, manager)).status).toBe(403);
    expect((await send('PATCH /profiles/staging', { protected: true }, manager)).status).toBe(403);
    expect((await send('POST /profiles', { name: 'x', protected: true }, manager)).status).toBe(403);
  });

  it.each([
    ['a variable about the run', 'variables/DAG_RUN_ID', 'x', 'profile_key_reserved'],
    ['a reserved prefix', 'variables/WEIR_ANY', 'x', 'profile_key_reserved'],
    ['a key that is no name', 'variables/a-b', 'x', 'request_invalid'],
    ['a NUL character', 'variables/A', 'a\0b', 'text_unusable'],
    ['a secret that could not be masked', 'secrets/A', 'ab', 'profile_value_unusable'],
    ['a value that is too long', 'variables/A', 'ä'.repeat(profileLimits.variableBytes), 'profile_value_unusable'],
  ])('refuses %s', async (_, path, value, reason) => {
    await create('staging');
    expect(await send(`PUT /profiles/staging/${path}`, { value })).toMatchObject(refused(400, reason));
  });

  it('refuses more variables than each run should store', async () => {
    await create('staging');
    const value = 'x'.repeat(profileLimits.variableBytes);
    for (const key of ['A', 'B', 'C', 'D']) await send(`PUT /profiles/staging/variables/${key}`, { value });

    expect(await send('PUT /profiles/staging/variables/E', { value })).toMatchObject(refused(400, 'profile_limit'));
    expect((await send('PUT /profiles/staging/variables/D', { value: '' })).status).toBe(200);
  });
});

describe('the profile of a start', () => {
  const start = (body: object, as = workflow.asAdmin) => send('POST /dags/job/enqueue', body, as);
  const started = async (body: object, as = workflow.asAdmin) => {
    const { dagRunId } = (await start(body, as)).body as { dagRunId: string };
    const { body: details } = await send(`GET /dag-runs/job/${dagRunId}`);
    return (details as { dagRunDetails: { profile?: string } }).dagRunDetails.profile;
  };
  beforeEach(async () => {
    await workflow.server.addDag('job', 'steps:\n  - run: "true"\n');
    for (const name of ['staging', 'production']) await create(name, { protected: name === 'production' });
  });

  it('is shown on the run, and the default is taken for a start that names none', async () => {
    await expect(started({ profile: 'staging' })).resolves.toBe('staging');
    await expect(started({})).resolves.toBeUndefined();
    await send('PATCH /profiles/_global', { defaultProfile: 'staging' });
    await expect(started({})).resolves.toBe('staging');
    await expect(started({ profile: '' })).resolves.toBeUndefined();
  });

  it('must exist and be enabled', async () => {
    await send('PATCH /profiles/staging', { status: 'disabled' });

    expect(await start({ profile: 'staging' })).toMatchObject(refused(400, 'profile_disabled'));
    expect(await start({ profile: 'none' })).toMatchObject(refused(400, 'profile_unknown'));
    expect(await start({ profile: '_global' })).toMatchObject(refused(400, 'request_invalid'));
    expect(await send('PATCH /profiles/_global', { defaultProfile: 'none' })).toMatchObject(
      refused(400, 'profile_unknown'),
    );
  });

  it('may be protected only for administrators, unless one has made it the default', async () => {
    const operator = await workflow.server.createKey('operator');

    expect(await start({ profile: 'production' }, operator)).toMatchObject(refused(403, 'profile_protected'));
    await expect(started({ profile: 'production' })).resolves.toBe('production');
    await send('PATCH /profiles/_global', { defaultProfile: 'production' });
    await expect(started({}, operator)).resolves.toBe('production');
  });

  it('is that of the run which is rescheduled', async () => {
    const { dagRunId } = (await start({ profile: 'staging' })).body as { dagRunId: string };
    await send('PATCH /profiles/_global', { defaultProfile: 'production' });
    const { body } = await send(`POST /dag-runs/job/${dagRunId}/reschedule`, {});
    const again = (body as { dagRunId: string }).dagRunId;

    expect(await send(`GET /dag-runs/job/${again}`)).toMatchObject({
      body: { dagRunDetails: { profile: 'staging' } },
    });
  });
});
