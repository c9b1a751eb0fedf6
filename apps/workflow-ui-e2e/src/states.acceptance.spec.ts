import type { Page } from 'playwright-core';
import { screens, screensInUse } from './support/screens';
import { seedHistory, seedOperation } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();
const password = 'a rather long sentence';

/** From the weakest to the strongest. */
const roles = ['viewer', 'operator', 'developer', 'manager', 'admin'] as const;
type Role = (typeof roles)[number];

/** The operations that read the screens which not everybody may see. */
const reads: Readonly<Record<string, string>> = {
  'run-events': 'listEventLogs',
  'base-config': 'getBaseConfig',
  events: 'listEventLogs',
  status: 'getResourceHistory',
  users: 'listUsers',
  'profile-defaults': 'getGlobalRuntimeProfileDefaults',
  audit: 'listAuditLogs',
  'api-keys': 'listAPIKeys',
  secrets: 'listSecrets',
  webhooks: 'listWebhooks',
  'dag-webhook': 'getDAGWebhook',
  nodes: 'listRemoteNodes',
  workers: 'getWorkers',
};

const inUse = new Set(screensInUse.map(({ path }) => path));
/** Each once, those of a server in use instead of the empty ones. */
const filled = [...screens.filter(({ name, path }) => !inUse.has(path) && name !== 'docs-empty'), ...screensInUse];

/** Their data comes over the stream, whose loss the whole page reports. */
const streamed = new Set(['home', 'dags', 'dags-no-match', 'runs', 'dag-graph', 'dag-history', 'approvals']);
const requesting = filled.filter(({ name }) => !streamed.has(name) && name !== 'not-found');

/** What every screen asks for, for its frame. */
const ofFrame = /\/(?:auth\/me|permissions|open-decisions)$/;

let needed: ReadonlyMap<string, Role>;

beforeAll(async () => {
  await seedHistory(pages.server());
  await seedOperation(pages.server());
  for (const role of roles) await pages.server().call('POST', '/users', { username: `a-${role}`, password, role });
  const answer = await pages.server().call('GET', '/permissions');
  const { requirements } = (await answer.json()) as { requirements: { operationId: string; role: Role }[] };
  needed = new Map(requirements.map(({ operationId, role }) => [operationId, role]));
});

const isRefused = (name: string, role: Role): boolean => {
  const operation = reads[name];
  if (operation === undefined) return false;
  const least = needed.get(operation);
  if (least === undefined) throw new Error(`The server names no role for ${operation}.`);
  return roles.indexOf(role) < roles.indexOf(least);
};

const widerThanTheWindow = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

it.each(roles.filter((role) => role !== 'admin'))(
  'shows the role %s each screen, or that it is not allowed',
  async (role) => {
    const { page, complaints } = await pages.open();
    const login = { username: `a-${role}`, password, session: true };
    const answer = await page.request.post(`${pages.server().url}api/v1/auth/login`, { data: login });
    expect(answer.ok()).toBe(true);

    const refusal = page.getByRole('heading', { name: 'Your role does not allow this' }).first();
    const wide: string[] = [];
    // What a viewer may see, everybody may.
    for (const { name, path, ready } of filled.filter((screen) => role === 'viewer' || screen.name in reads)) {
      await page.goto(`${pages.server().url}${path}`);
      if (isRefused(name, role)) {
        await refusal.waitFor();
      } else {
        await page.getByRole(ready.role, { name: ready.name }).first().waitFor();
        await expect(refusal.isVisible()).resolves.toBe(false);
      }
      if (await widerThanTheWindow(page)) wide.push(name);
    }
    expect(wide).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

describe('a screen whose data does not come', () => {
  let page: Page;
  let answers: 'refused' | 'missing';

  beforeEach(async () => {
    ({ page } = await pages.openAsAdmin({ path: 'no/such/page', context: {} }));
    await page.route('**/api/v1/**', (route) => {
      const request = route.request();
      if (ofFrame.test(request.url()) || request.method() !== 'GET') return route.continue();
      if (answers === 'missing') return undefined;
      const body = { error: 'invalid_request', code: 'bad_request', message: 'The disk is gone.', requestId: 'r-1' };
      return route.fulfill({ status: 400, json: body });
    });
  });

  it.each([
    ['missing', 'says that it is loading', 'status', /loading/i],
    ['refused', 'says why there is none', 'alert', undefined],
  ] as const)('when it is %s, %s', async (kind, _, role, name) => {
    answers = kind;
    const wide: string[] = [];
    for (const screen of requesting) {
      await page.goto(`${pages.server().url}${screen.path}`);
      const main = page.getByRole('main');
      await main
        .getByRole(role, name && { name })
        .first()
        .waitFor();
      if (await widerThanTheWindow(page)) wide.push(screen.name);
    }
    expect(wide).toEqual([]);
  });
});
