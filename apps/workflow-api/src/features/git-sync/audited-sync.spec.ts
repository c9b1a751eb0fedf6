import { rm } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';
import { useBareRepository } from '../../testing/use-bare-repository';

const repository = useBareRepository();
const webhookSecret = 'a secret of the push hook';

let server: TestWorkflow;
let admin: string;

beforeAll(async () => {
  server = await createTestWorkflow();
  admin = await server.createKey('admin');
  await repository.connect(server.api, admin, { webhookSecret });
});
afterAll(() => server.stop());

const inShop = (text: string) => `labels: { workspace: shop }\nsteps: [{ run: echo ${text} }]\n`;

/** What the audit log of a server has in the workspace, newest first. */
async function listEntries({ api }: TestWorkflow, as: string, workspace = 'shop') {
  const { body } = await api.send(`GET /audit?workspace=${workspace}&category=sync`, { as });
  const entries = body.entries as readonly Readonly<Record<'action' | 'resourceId' | 'credentialType', string>>[];
  return entries.map(({ action, resourceId, credentialType }) => `${action} ${resourceId} ${credentialType}`);
}

async function publish(...names: readonly string[]): Promise<void> {
  for (const name of names) await server.addDag(name, inShop(name));
  await server.api.send('POST /sync/publish-all', { as: admin, body: {} });
}

const removeFile = (name: string): Promise<void> => rm(server.folder.file('dags', `${name}.yaml`));

describe('the audit log of a workspace', () => {
  it('has each of its files that was published, and no other', async () => {
    await server.addDag('elsewhere', 'labels: { workspace: bank }\nsteps: [{ run: "true" }]\n');
    await server.addDag('nowhere', 'steps: [{ run: "true" }]\n');
    await publish('published');

    await expect(listEntries(server, admin)).resolves.toEqual(['sync_publish published api-key']);
    await expect(listEntries(server, admin, 'bank')).resolves.toEqual(['sync_publish elsewhere api-key']);
  });

  it.each([
    ['forgotten', 'lost', 'POST /sync/items/lost/forget', 'sync_forget'],
    ['forgotten with all that are missing', 'swept', 'POST /sync/cleanup', 'sync_forget'],
    ['deleted in the repository', 'gone', 'POST /sync/delete-missing', 'sync_delete'],
  ] as const)('has a file that is missing here and was %s', async (_, name, operation, action) => {
    await publish(name);
    await removeFile(name);
    await expect(server.api.send(operation, { as: admin, body: {} })).resolves.toMatchObject({ status: 200 });

    expect((await listEntries(server, admin))[0]).toBe(`${action} ${name} api-key`);
  });

  it('has a file that was moved', async () => {
    await publish('former');
    const body = { newItemId: 'latter' };
    await server.api.send('POST /sync/items/former/move', { as: admin, body });
    expect((await listEntries(server, admin))[0]).toBe('sync_move former api-key');
  });

  it('has each file that the server pulls by itself', async () => {
    const other = await createTestWorkflow();
    const as = await other.createKey('admin');
    await repository.connect(other.api, as, { webhookSecret });
    await publish('pulled');
    await other.api.send('POST /sync/webhook', { headers: { 'x-gitlab-token': webhookSecret }, body: {} });

    const entries = await waitFor(
      async () => {
        const found = await listEntries(other, as);
        return found.includes('sync_pull pulled server') ? found : undefined;
      },
      { what: 'the pull to be recorded' },
    );
    expect(entries).not.toContain('sync_pull elsewhere server');
    await other.stop();
  });
});
