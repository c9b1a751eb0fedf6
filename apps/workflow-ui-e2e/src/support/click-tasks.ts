import type { CountedHand } from './counted-hand';

/** How many clicks other interfaces need, as published or counted in their code; see `docs/specs/interface/clicks.md`. */
export interface PeerClicks {
  readonly dagu: string;
  readonly airflow: string;
  readonly kestra: string;
}

export interface ClickTask {
  readonly name: string;
  /** The page on which it begins, and its name. */
  readonly path: string;
  readonly begins: string;
  readonly most: number;
  readonly peers: PeerClicks;
  /** Resolves once the task is done and the page says so. */
  readonly perform: (hand: CountedHand) => Promise<unknown>;
}

const [home, dags, runs] = [
  { path: '', begins: 'home' },
  { path: 'dags', begins: 'DAG list' },
  { path: 'runs', begins: 'run list' },
];

export const clickTasks: readonly ClickTask[] = [
  {
    name: 'start with defaults',
    ...dags,
    most: 1,
    peers: { dagu: '2', airflow: '2', kestra: '2–3' },
    perform: async ({ page, click }) => {
      await click(page.getByRole('button', { name: 'Start plain', exact: true }));
      await page.getByText('A run of plain was started.').waitFor();
    },
  },
  {
    name: 'start with changed input',
    ...dags,
    most: 2,
    peers: { dagu: '2', airflow: '2', kestra: '3' },
    perform: async ({ page, click }) => {
      await click(page.getByRole('button', { name: 'Start typed with…' }));
      const dialog = page.getByRole('dialog', { name: 'Start typed' });
      await dialog.getByLabel('DAY').fill('tuesday');
      await click(dialog.getByRole('button', { name: 'Start', exact: true }));
      await page.getByRole('log').getByText('of tuesday').waitFor();
    },
  },
  {
    name: 'see the failed runs of today',
    ...home,
    most: 1,
    peers: { dagu: '3', airflow: '1–2', kestra: '4' },
    perform: async ({ page, click }) => {
      await click(page.getByRole('link', { name: /^\d+ Failed/ }));
      await page
        .getByRole('grid', { name: 'Runs' })
        .getByRole('row', { name: /orders/ })
        .waitFor();
      await page.waitForURL(/status%3Afailed/);
    },
  },
  {
    name: 'read the error of the failed step',
    ...home,
    most: 1,
    peers: { dagu: '3', airflow: '3', kestra: '3' },
    perform: async ({ page, click }) => {
      await click(page.getByRole('link', { name: /orders check .* row 7 has no amount/ }));
      await page.getByRole('group', { name: 'Error' }).getByText('row 7 has no amount').waitFor();
    },
  },
  {
    name: 'retry a failed run',
    ...runs,
    most: 2,
    peers: { dagu: '2', airflow: '4', kestra: '3' },
    perform: async ({ page, click }) => {
      await click(page.getByRole('button', { name: 'Retry the run of stock' }));
      await page.getByText('The run is queued again.').first().waitFor();
    },
  },
  {
    name: 'retry from a step, with what follows',
    ...runs,
    most: 2,
    peers: { dagu: '4', airflow: '4', kestra: '4' },
    perform: async ({ page, click }) => {
      await click(page.getByRole('row', { name: /orders/ }).getByRole('link', { name: 'check' }));
      await page.getByText('2 steps are executed, 1 is reused.').waitFor();
      await click(page.getByRole('button', { name: 'Retry from here' }));
      await page.getByText('The run is queued again.').first().waitFor();
    },
  },
  {
    name: 'stop a run',
    ...runs,
    most: 2,
    peers: { dagu: '2', airflow: '4', kestra: '3' },
    perform: async ({ page, click }) => {
      await click(page.getByRole('button', { name: 'Stop the run of endless' }));
      await click(page.getByRole('dialog', { name: 'Stop the run?' }).getByRole('button', { name: 'Stop' }));
      await page
        .getByRole('row', { name: /endless/ })
        .getByText('Aborted')
        .waitFor();
    },
  },
  {
    name: 'edit and save',
    ...dags,
    most: 2,
    peers: { dagu: '2', airflow: '–', kestra: '3' },
    perform: async ({ page, click, press }) => {
      await click(page.getByRole('link', { name: 'Edit plain' }));
      await page.getByRole('textbox', { name: 'Spec' }).waitFor();
      await page.getByRole('textbox', { name: 'Spec' }).focus();
      await page.keyboard.insertText('# changed\n');
      await press('Control+s');
      await page.getByText('Saved').first().waitFor();
    },
  },
  {
    name: 'switch a schedule off',
    ...dags,
    most: 1,
    peers: { dagu: '2', airflow: '1–2', kestra: '3' },
    perform: async ({ page, click }) => {
      await click(page.getByRole('button', { name: 'Switch the schedule of nightly off' }));
      await page.getByText('The schedule of nightly is off.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  {
    name: 'approve',
    path: 'approvals',
    begins: 'inbox',
    most: 2,
    peers: { dagu: '3–4', airflow: '3', kestra: '3' },
    perform: async ({ page, click }) => {
      await click(page.getByRole('button', { name: 'Approve confirm' }));
      await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    },
  },
];
