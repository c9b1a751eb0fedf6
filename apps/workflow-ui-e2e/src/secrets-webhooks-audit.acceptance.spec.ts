import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { usePages } from './support/use-pages';

const pages = usePages({ WEIR_EVENT_NETWORKS: '127.0.0.1/32' });

beforeAll(async () => {
  const server = pages.server();
  await server.setUp();
  await server.call('POST', '/workspaces', { name: 'finance' });
  await server.call('POST', '/dags', { name: 'deploy', spec: 'steps:\n  - run: "true"\n' });
});

/** A row of a table has the name of its head. */
const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: true });

async function openMenu(page: Page, label: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

function callWebhook(token: string): Promise<Response> {
  return fetch(`${pages.server().url}api/v1/webhooks/deploy`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ payload: { version: 7 } }),
  });
}

it('stores a secret that cannot be read, replaces its value, disables and deletes it', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'secrets' });
  await page.getByRole('heading', { name: 'There is no secret here yet' }).waitFor();
  await page.getByRole('button', { name: 'Shared by all workspaces' }).click();
  await page.getByRole('option', { name: 'Of finance' }).click();
  await page.getByRole('button', { name: 'Add a secret' }).click();
  await page.getByRole('dialog').getByLabel('Ref').fill('payments/api');
  await page.getByRole('dialog').getByLabel('Value').fill('s3cr3t-value');
  await page.getByRole('dialog').getByRole('button', { name: 'Add a secret' }).click();
  await rowOf(page, 'payments/api')
    .filter({ hasText: /Usable.*1/ })
    .waitFor();
  expect(page.url()).toContain('workspace=finance');
  await expect(page.getByText('s3cr3t-value').count()).resolves.toBe(0);

  await openMenu(page, 'Actions of payments/api', 'Write a new value');
  await page.getByRole('dialog').getByText('stays usable as payments/api@1').waitFor();
  await page.getByRole('dialog').getByLabel('Value').fill('another-value');
  await page.getByRole('dialog').getByRole('button', { name: 'Write a new value' }).click();
  await page.getByText('payments/api has version 2 now.').waitFor();

  await openMenu(page, 'Actions of payments/api', 'Disable');
  await rowOf(page, 'payments/api').filter({ hasText: 'Disabled' }).waitFor();
  await openMenu(page, 'Actions of payments/api', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'There is no secret here yet' }).waitFor();
  expect(complaints).toEqual([]);
});

it('shows which DAGs take a secret, and in which variables, and how many before it is deleted', async () => {
  const server = pages.server();
  for (const [name, version] of [
    ['ship', ''],
    ['build', '@2'],
    ['audit', ''],
  ])
    await server.call('POST', '/dags', {
      name,
      spec: `secrets: [{name: DEPLOY_KEY, ref: deploy/key${version}}]\nsteps: [{run: "true"}]\n`,
    });
  await server.call('POST', '/secrets', { ref: 'deploy/key', providerType: 'dagu-managed' });
  const { page, complaints } = await pages.openAsAdmin({ path: 'secrets' });
  const row = rowOf(page, 'deploy/key');
  await row.getByRole('link', { name: 'audit' }).waitFor();
  await row.getByRole('button', { name: '1 more' }).click();
  const window = page.getByRole('dialog', { name: 'DAGs that take deploy/key' });
  await window
    .getByRole('listitem')
    .filter({ hasText: /^build\s*DEPLOY_KEY version 2$/ })
    .waitFor();
  await window
    .getByRole('listitem')
    .filter({ hasText: /^ship\s*DEPLOY_KEY newest version$/ })
    .waitFor();
  await page.keyboard.press('Escape');

  await openMenu(page, 'Actions of deploy/key', 'Delete');
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByText('3 DAGs take it').waitFor();
  await page.keyboard.press('Escape');

  await openMenu(page, 'Actions of deploy/key', 'DAGs');
  await window.getByRole('link', { name: 'ship' }).click();
  await page.waitForURL(/\/dags\/ship/);
  expect(complaints).toEqual([]);
});

it('shows in the form why the server refuses a secret', async () => {
  const { page } = await pages.openAsAdmin({ path: 'secrets' });
  await page.getByRole('button', { name: 'Add a secret' }).click();
  await page.getByRole('dialog').getByLabel('Ref').fill('Not A Ref');
  await page.getByRole('dialog').getByRole('button', { name: 'Add a secret' }).click();

  await page.getByRole('dialog').getByRole('alert').waitFor();
});

it('creates a webhook whose token is shown once, switches it, replaces the token and deletes it, statement 47', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'webhooks' });
  await page.getByRole('heading', { name: 'No DAG has a webhook yet' }).waitFor();
  await page.goto(`${pages.server().url}dags/deploy?tab=webhook`);
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  const token = await page.getByRole('dialog').getByLabel('Token', { exact: true }).innerText();
  await page.getByRole('dialog').getByText('curl -X POST').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(callWebhook(token)).resolves.toMatchObject({ status: 200 });
  await expect(page.getByText(token).count()).resolves.toBe(0);
  await page.getByLabel('Address', { exact: true }).getByText('/api/v1/webhooks/deploy').waitFor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  const calls = page.getByRole('grid', { name: 'Last calls' });
  await calls.getByRole('row').filter({ hasText: 'Started a run' }).first().waitFor();
  await calls.getByRole('button', { name: 'Show what was sent' }).first().click();
  await page.getByRole('dialog').getByLabel('Body', { exact: true }).getByText('"version":7').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await calls.getByRole('button', { name: 'Start a run from it again' }).first().click();
  await page.getByText(/^The run \S+ was queued\.$/).waitFor();

  await page.goto(`${pages.server().url}webhooks`);
  await rowOf(page, 'deploy')
    .filter({ hasText: /ago|now/ })
    .waitFor();
  await rowOf(page, 'deploy').getByText('On', { exact: true }).click();
  await page.getByText('The webhook of deploy starts no runs any more.').waitFor();
  await expect(callWebhook(token)).resolves.toMatchObject({ status: 403 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowOf(page, 'deploy').getByText('On', { exact: true }).waitFor();

  await openMenu(page, 'Actions of the webhook of deploy', 'Replace the token');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the token' }).click();
  const second = await page.getByRole('dialog').getByLabel('Token', { exact: true }).innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(callWebhook(token)).resolves.toMatchObject({ status: 401 });
  await expect(callWebhook(second)).resolves.toMatchObject({ status: 200 });
  await openMenu(page, 'Actions of the webhook of deploy', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The webhook of deploy was deleted.').waitFor();
  await expect(callWebhook(second)).resolves.toMatchObject({ status: 401 });
  expect(complaints).toEqual([]);
});

it('requires signed calls of a webhook, with a secret that is shown once', async () => {
  await pages.server().call('POST', '/dags', { name: 'signed', spec: 'steps:\n  - run: "true"\n' });
  await pages.server().call('POST', '/dags/signed/webhook');
  const { page } = await pages.openAsAdmin({ path: 'dags/signed?tab=webhook' });
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Calls prove who sent them by/ })
    .click();
  await page.getByRole('option', { name: 'a signature of GitHub' }).click();
  await page.getByRole('dialog').getByLabel('Calls per minute').fill('many');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByRole('dialog').getByLabel('Calls per minute').fill('10');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const secret = await page.getByRole('dialog').getByLabel('Secret', { exact: true }).innerText();
  await page.getByRole('button', { name: 'Done' }).click();

  const body = '{"ref":"main"}';
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const answer = await fetch(`${pages.server().url}api/v1/webhooks/signed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  });
  expect(answer.status).toBe(200);
});

describe('notifications', () => {
  const received: IncomingHttpHeaders[] = [];
  const receiver = createServer((request, response) => {
    received.push(request.headers);
    response.end();
  });
  beforeAll(async () => {
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => once(receiver.close(), 'close'));

  it('are added with a secret that is shown once, tested, switched off and deleted', async () => {
    const { page, complaints } = await pages.openAsAdmin({ path: 'webhooks' });
    await page.getByText('Nobody is told yet.').waitFor();
    await page.getByRole('button', { name: 'Add a notification' }).click();
    const form = page.getByRole('dialog', { name: 'Add a notification' });
    await form.getByLabel('Name').fill('On call');
    await form.getByRole('button', { name: /Send it by/ }).click();
    await page.getByRole('option', { name: 'signed webhook' }).click();
    await form.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await form.getByText('a run waits for a person').click();
    await form.getByRole('button', { name: 'Add a notification' }).click();
    const secret = await page.getByRole('dialog').getByLabel('Secret', { exact: true }).innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(secret).toMatch(/^whsec_/);
    await rowOf(page, 'On call')
      .filter({ hasText: /signed webhook, 127\.0\.0\.1.*a run fails, .*a run waits for a person/ })
      .waitFor();

    await openMenu(page, 'Actions of On call', 'Send a test');
    const sent = page.getByRole('dialog', { name: 'What was sent for On call' });
    await sent.getByRole('row', { name: 'test' }).filter({ hasText: 'received' }).waitFor();
    await sent.getByRole('button', { name: 'Close' }).last().click();
    expect(received).toMatchObject([{ 'webhook-signature': expect.stringMatching(/^v1,/) as string }]);

    await rowOf(page, 'On call').getByText('On', { exact: true }).click();
    await page.getByText('On call is not sent any more.').waitFor();
    await openMenu(page, 'Actions of On call', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nobody is told yet.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('are collected for an hour, and silenced for a while', async () => {
    const { page, complaints } = await pages.openAsAdmin({ path: 'webhooks' });
    await page.getByRole('button', { name: 'Add a notification' }).click();
    const form = page.getByRole('dialog', { name: 'Add a notification' });
    await form.getByLabel('Name').fill('Channel');
    await form.getByRole('button', { name: /Send it by/ }).click();
    await page.getByRole('option', { name: 'Slack' }).click();
    await form.getByLabel('Address').fill('https://hooks.example.com/x');
    await form.getByRole('button', { name: /Messages/ }).click();
    await page.getByRole('option', { name: 'One for all events of an hour' }).click();
    await form.getByRole('button', { name: /The same event again/ }).click();
    await page.getByRole('option', { name: 'Only after 6 hours' }).click();
    await form.getByRole('button', { name: 'Add a notification' }).click();
    await rowOf(page, 'Channel').waitFor();

    await openMenu(page, 'Actions of Channel', 'Silence for an hour');
    await rowOf(page, 'Channel').filter({ hasText: 'silent until' }).waitFor();
    await openMenu(page, 'Actions of Channel', 'End the silence');
    await rowOf(page, 'Channel').filter({ hasNotText: 'silent until' }).waitFor();
    const { subscriptions } = (await (await pages.server().call('GET', '/event-subscriptions')).json()) as {
      readonly subscriptions: readonly { readonly id: string }[];
    };
    expect(subscriptions).toMatchObject([{ digestSeconds: 3600, repeatAfterSeconds: 21_600 }]);
    for (const { id } of subscriptions) await pages.server().call('DELETE', `/event-subscriptions/${id}`);
    expect(complaints).toEqual([]);
  });

  it('show in the form why the server refuses one', async () => {
    const { page } = await pages.openAsAdmin({ path: 'webhooks' });
    await page.getByRole('button', { name: 'Add a notification' }).click();
    const form = page.getByRole('dialog', { name: 'Add a notification' });
    await form.getByLabel('Name').fill('By mail');
    await form.getByLabel('Mail address').fill('ada@example.com');
    await form.getByRole('button', { name: 'Add a notification' }).click();

    await form.getByRole('alert').filter({ hasText: 'WEIR_SMTP_HOST' }).waitFor();
  });
});

it('filters the audit log, shows an entry, verifies the chain and exports it, statement 48', async () => {
  await pages
    .server()
    .call('POST', '/users', { username: 'grace', password: 'a rather long sentence', role: 'viewer' });
  const { page, complaints } = await pages.openAsAdmin({ path: 'audit' });
  await page.getByRole('button', { name: /All changes/ }).click();
  await page.getByRole('option', { name: 'Users' }).click();
  await page.getByLabel('Filter the audit log').fill('grace');
  // What was typed is used a moment later, and closes the entry that is shown.
  await page.waitForURL(/q=grace/);
  const row = page.getByRole('row', { name: /User created/ });
  await row.filter({ hasText: /grace.*ada/ }).click();
  const peek = page.getByRole('complementary', { name: 'User created' });
  await peek.getByText('viewer').waitFor();
  await page.keyboard.press('Escape');
  await peek.waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/q=grace.*category=user|category=user.*q=grace/);

  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('status', { name: 'Chain of the audit log' }).getByText('Nothing was rewritten').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^weir-audit-.*\.jsonl$/);
  expect(complaints).toEqual([]);
});

it('shows where the chain of the audit log is broken', async () => {
  const { page } = await pages.openAsAdmin();
  const verification = {
    valid: false,
    entries: 12,
    firstPosition: 1,
    lastPosition: 12,
    lastHash: '0'.repeat(64),
    problem: { position: 7, kind: 'changed', message: 'Entry 7 was changed.' },
  };
  await page.route('**/api/v1/audit/verification*', (route) => route.fulfill({ json: verification }));
  await page.goto(`${pages.server().url}audit`);
  await page.getByRole('button', { name: 'Verify' }).click();

  const chain = page.getByRole('status', { name: 'Chain of the audit log' });
  await chain.getByText('The chain is broken').waitFor();
  await chain.getByText('Entry 7 was changed.').waitFor();
});
