import type { Page } from 'playwright-core';
import { gated } from './support/run-specs';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();
const password = 'a rather long sentence';

/** From the weakest to the strongest. */
const roles = ['viewer', 'operator', 'developer', 'manager', 'admin'] as const;
type Role = (typeof roles)[number];

interface Action {
  /** By which the server tells the role that it needs. */
  readonly operationId: string;
  readonly path: string;
  readonly button: string;
}

/** Those of one screen are together: it is loaded once for them. */
const actions: readonly Action[] = [
  { operationId: 'createNewDAG', path: 'dags', button: 'New DAG' },
  { operationId: 'executeDAG', path: 'dags', button: 'Start nightly' },
  { operationId: 'updateDAGSuspensionState', path: 'dags', button: 'Switch the schedule of nightly off' },
  { operationId: 'executeDAG', path: 'dags/nightly', button: 'Start' },
  { operationId: 'startBackfill', path: 'dags/nightly?tab=schedule', button: 'Backfill' },
  { operationId: 'updateDAGSpec', path: 'dags/nightly?tab=spec', button: 'Save' },
  { operationId: 'executeDAGRunFromSpec', path: 'dags/nightly?tab=spec', button: 'Start this text' },
  { operationId: 'terminateDAGRun', path: 'dag-runs/release/latest', button: 'Stop' },
  { operationId: 'createWorkspace', path: 'workspaces', button: 'Add a workspace' },
  { operationId: 'createDoc', path: 'docs', button: 'New document' },
  { operationId: 'getResourceHistory', path: 'status', button: 'Download a support bundle' },
  { operationId: 'createUser', path: 'users', button: 'Add a user' },
  { operationId: 'createSecret', path: 'secrets', button: 'Add a secret' },
  { operationId: 'verifyAuditLog', path: 'audit', button: 'Verify' },
  { operationId: 'updateSyncConfig', path: 'sync', button: 'Settings' },
  { operationId: 'createRemoteNode', path: 'nodes', button: 'Add a node' },
  { operationId: 'createAPIKey', path: 'api-keys', button: 'Create a key' },
];

let needed: ReadonlyMap<string, Role>;

beforeAll(async () => {
  const server = pages.server();
  await server.setUp();
  await server.call('POST', '/dags', { name: 'release', spec: gated });
  await server.call('POST', '/dags', { name: 'nightly', spec: 'schedule: "0 2 * * *"\nsteps:\n  - run: "true"\n' });
  await startAndWait(server, 'release', 'waiting');
  for (const role of roles) await server.call('POST', '/users', { username: `a-${role}`, password, role });
  const answer = await server.call('GET', '/permissions');
  const { requirements } = (await answer.json()) as { requirements: { operationId: string; role: Role }[] };
  needed = new Map(requirements.map(({ operationId, role }) => [operationId, role]));
});

async function openAs(role: Role): Promise<Page> {
  const { page } = await pages.open();
  const answer = await page.request.post(`${pages.server().url}api/v1/auth/login`, {
    data: { username: `a-${role}`, password, session: true },
  });
  expect(answer.ok()).toBe(true);
  return page;
}

const refusalOf = (role: Role): string =>
  role === 'admin' ? 'This needs the role admin.' : `This needs the role ${role} or a higher one.`;

it.each(roles)(
  'permits a %s what the server permits, and marks the rest before the click, statement 43',
  async (role) => {
    const page = await openAs(role);
    for (const [index, { operationId, path, button }] of actions.entries()) {
      const needs = needed.get(operationId);
      if (needs === undefined) throw new Error(`The server names no role for ${operationId}.`);
      if (path !== actions[index - 1]?.path) {
        await Promise.all([
          page.waitForResponse((response) => response.url().endsWith('/permissions')),
          page.goto(`${pages.server().url}${path}`),
        ]);
      }
      const found = page.getByRole('button', { name: button, exact: true }).first();
      await found.waitFor();
      const refused = page.getByTitle(refusalOf(needs)).getByRole('button', { name: button, exact: true });
      if (roles.indexOf(role) < roles.indexOf(needs)) await refused.first().waitFor();
      else
        await page
          .getByRole('button', { name: button, exact: true })
          .and(page.locator(':not([data-refused])'))
          .waitFor();
    }
  },
);

it('names the required role to keyboard users, too', async () => {
  const page = await openAs('viewer');
  await page.goto(`${pages.server().url}users`);
  const refused = page.getByTitle(refusalOf('admin')).getByRole('button', { name: 'Add a user' });
  await refused.focus();
  await page.keyboard.press('Shift');
  await refused.hover();

  await page
    .getByRole('tooltip')
    .filter({ hasText: refusalOf('admin') })
    .first()
    .waitFor();
});

it.each([
  ['settings/base-config', 'Save'],
  ['audit', 'Newer entries'],
  ['secrets', 'Actions'],
  ['webhooks', 'Actions'],
])('does not show %s to a role that may not read it', async (path, button) => {
  const page = await openAs('viewer');
  await page.goto(`${pages.server().url}${path}`);

  await page.getByRole('heading', { name: 'Your role does not allow this' }).waitFor();
  await expect(page.getByRole('button', { name: button, exact: true }).count()).resolves.toBe(0);
});
