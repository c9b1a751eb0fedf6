import { waitFor } from '@weir/test-kit';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();

const task = `steps:
  - id: sign
    action: human.task
    with:
      prompt: Who signs the release?
      form:
        properties:
          copies: { type: integer, title: Copies, minimum: 1, default: 2 }
          signer: { type: string, title: Signer }
        required: [signer]
  - id: print
    depends: sign
    run: echo signed
`;

const plain = `steps:
  - id: check
    run: echo the totals are 12 and 30
    approval:
      prompt: Are the totals right?
`;

beforeAll(async () => {
  await pages.server().setUp();
});

const create = (name: string, spec: string) => pages.server().call('POST', '/dags', { name, spec });

async function statusOf(name: string): Promise<string> {
  const answer = await pages.server().call('GET', `/dag-runs/${name}/latest`);
  return ((await answer.json()) as { dagRunDetails: { statusLabel: string } }).dagRunDetails.statusLabel;
}

/** Empty where it does not wait. */
async function waitingSince(step: string): Promise<string> {
  const answer = await pages.server().call('GET', '/open-decisions');
  const { items } = (await answer.json()) as { items: { step: string; since: string }[] };
  return items.find((item) => item.step === step)?.since ?? '';
}

it('states when nothing waits, and shows new waiting steps without a reload', async () => {
  const { page } = await pages.openAsAdmin({ path: 'approvals' });
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  await create('totals', plain);
  await startAndWait(pages.server(), 'totals', 'waiting');

  await page.getByRole('row', { name: /totals check/ }).waitFor();
  await page.getByRole('link', { name: 'Approvals 1 waiting for you' }).waitFor();
  await expect(page.title()).resolves.toBe('(1) Approvals · Weir');
});

it('approves steps without input in place, statement 23', async () => {
  const { page } = await pages.openAsAdmin({ path: 'approvals' });
  await page
    .getByRole('row', { name: /totals check/ })
    .getByRole('button', { name: 'Approve check' })
    .click();

  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
});

it('shows the output of a step, asks for required values, and pushes back and approves, statement 23', async () => {
  await startAndWait(pages.server(), 'release-approval', 'waiting');
  const { page, complaints } = await pages.openAsAdmin({ path: 'approvals' });
  await page.getByRole('row', { name: /release-approval review/ }).click();
  await page.getByText('Publish this archive?').last().waitFor();
  await page.getByRole('region', { name: 'End of the log' }).waitFor();

  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('A value is needed.').waitFor();
  await page.getByLabel('VERSION').fill('1.1');
  await page.getByLabel('NOTE (optional)').fill('the date is wrong');
  const before = await waitingSince('review');
  await page.getByRole('button', { name: 'Push back to build' }).click();
  await page.getByText('review was pushed back.').waitFor();

  await waitFor(async () => (await waitingSince('review')) > before, { deadlineMs: 20_000, what: 'the second review' });
  await page.reload();
  await page.getByRole('row', { name: /release-approval review/ }).click();
  await page.getByText('Nr. 1 by ada').waitFor();
  await page.getByLabel('VERSION').fill('1.2');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('review was approved.').waitFor();
  expect(complaints).toEqual([]);
});

it('rejects with a reason, statement 23', async () => {
  await startAndWait(pages.server(), 'totals', 'waiting');
  const { page } = await pages.openAsAdmin({ path: 'approvals' });
  await page.getByRole('row', { name: /totals check/ }).click();
  await page.getByRole('button', { name: 'Reject…' }).click();
  await page.getByLabel('Reason of the rejection (optional)').fill('The first one is missing.');
  await page.getByRole('button', { name: 'Reject', exact: true }).click();

  await page.getByText('check was rejected.').waitFor();
  await waitFor(async () => (await statusOf('totals')) === 'rejected', { deadlineMs: 20_000, what: 'the run to end' });
});

it('has the form of a human task with its defaults, and refuses wrong values before sending, statement 24', async () => {
  await create('signing', task);
  await startAndWait(pages.server(), 'signing', 'waiting');
  const { page } = await pages.openAsAdmin({ path: 'approvals' });
  await page.getByRole('row', { name: /signing sign/ }).click();
  await expect(page.getByLabel('Copies (optional)').inputValue()).resolves.toBe('2');

  await page.getByLabel('Copies (optional)').fill('0');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('This must be at least 1.').waitFor();
  await page.getByText('A value is needed.').waitFor();
  await page.getByLabel('Copies (optional)').fill('3');
  await page.getByLabel('Signer').fill('Grace');
  await page.getByRole('button', { name: 'Submit' }).click();

  await page.getByText('The answer to sign was sent.').waitFor();
});

it('pushes a human task back with a comment, and asks again', async () => {
  await create(
    'budget',
    `type: chain
steps:
  - id: draft
    run: echo "comment=$WEIR_PUSHBACK_COMMENT"
  - id: review
    action: human.task
    with: { prompt: Is the budget right? }
`,
  );
  await startAndWait(pages.server(), 'budget', 'waiting');
  const { page, complaints } = await pages.openAsAdmin({ path: 'approvals' });
  await page.getByRole('row', { name: /budget review/ }).click();
  const before = await waitingSince('review');
  await page.getByRole('button', { name: 'Push back to draft…' }).click();
  await page.getByLabel('What is to be changed (optional)').fill('Travel is missing.');
  await page.getByRole('button', { name: 'Push back to draft', exact: true }).click();
  await page.getByText('review was pushed back.').waitFor();

  await waitFor(async () => (await waitingSince('review')) > before, { deadlineMs: 20_000, what: 'the second review' });
  const log = await pages.server().call('GET', '/dag-runs/budget/latest/steps/draft/log');
  await expect(log.text()).resolves.toContain('comment=Travel is missing.');
  expect(complaints).toEqual([]);
});
