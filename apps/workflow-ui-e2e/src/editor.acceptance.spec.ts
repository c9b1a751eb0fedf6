import type { Locator, Page } from 'playwright-core';
import { admin } from './support/start-server';
import { usePages } from './support/use-pages';

const pages = usePages();

const spec = `# nightly export
schedule: "30 4 * * *"
params:
  - REGION: eu
  - SIZE: 3
steps:
  - id: fetch
    run: echo fetch
  - id: load
    run: echo load
    depends: [fetch]
`;

const create = async (name: string, text = spec): Promise<void> => {
  const created = await pages.server().call('POST', '/dags', { name, spec: text });
  // A case that is tried again begins with the same text.
  const answer =
    created.status === 409 ? await pages.server().call('PUT', `/dags/${name}/spec`, { spec: text }) : created;
  if (!answer.ok) throw new Error(`The creation of ${name} was answered ${answer.status}.`);
};
const stored = async (name: string): Promise<string> => {
  const answer = await pages.server().call('GET', `/dags/${name}/spec`);
  return ((await answer.json()) as { spec: string }).spec;
};
const openEditor = async (name: string) => {
  const opened = await pages.openAsAdmin({ path: `dags/${name}?tab=spec` });
  await text(opened.page).waitFor();
  return opened;
};
const text = (page: Page) => page.getByRole('textbox', { name: 'Spec' });
/** Puts the cursor to the end of the text. */
const goToEnd = async (page: Page): Promise<void> => {
  await text(page).click();
  await page.keyboard.press('Control+End');
};

beforeAll(() => pages.server().setUp());

it('shows all findings at their place while typing, and applies a suggested fix (statement 15)', async () => {
  await create('typing');
  const { page, complaints } = await openEditor('typing');
  await page.getByRole('heading', { name: 'No problems' }).waitFor();
  await goToEnd(page);
  await page.keyboard.insertText('  - id: last\n    comand: echo last\n    depends: [nobody]\n');

  const problems = page.getByRole('region', { name: '2 problems' });
  await problems.getByText('non-existent step').waitFor();
  await page.locator('.cm-lintRange-error', { hasText: 'comand' }).waitFor();
  await page.locator('.cm-lintRange-error', { hasText: 'nobody' }).waitFor();

  await problems.getByRole('button', { name: 'Rename "comand" to "run"' }).click();
  await page.getByRole('region', { name: '1 problem' }).waitFor();
  expect(await text(page).textContent()).toContain('run: echo last');

  // What the server says about the same text is the same.
  const answer = await pages.server().call('POST', '/dags/validate', {
    spec: `${spec}  - id: last\n    run: echo last\n    depends: [nobody]\n`,
  });
  const { findings } = (await answer.json()) as { findings: { message: string }[] };
  expect(findings).toHaveLength(1);
  await page
    .getByRole('region', { name: '1 problem' })
    .getByText(findings[0]?.message ?? '-')
    .waitFor();
  expect(complaints).toEqual([]);
});

it('reads patterns with the library that is loaded for them', async () => {
  await create('patterns');
  const { page, complaints } = await openEditor('patterns');
  await goToEnd(page);
  await page.keyboard.insertText(
    "  - run: echo last\n    preconditions:\n      - condition: ok\n        expected: 're:(?i)^OK$'\n      - condition: ok\n        expected: 're:(open'\n",
  );

  await page.getByRole('region', { name: '1 problem' }).getByText('not a valid RE2 regular expression').waitFor();
  await page.locator('.cm-lintRange-error', { hasText: '(open' }).waitFor();
  expect(complaints).toEqual([]);
});

it('asks for the password when a text is saved after the session has ended, and keeps the text', async () => {
  await create('signed-out');
  const { page } = await pages.openAsAdmin({ path: 'dags/signed-out?tab=spec', context: {} });
  await goToEnd(page);
  await page.keyboard.insertText('# kept\n');
  // The page is not told: only what it saves is refused.
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Username').fill(admin.username);
  await dialog.getByLabel('Password').fill(admin.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await stored('signed-out')).toBe(`${spec}# kept\n`);
});

it('completes keys, actions, step names and references by keyboard (statement 16)', async () => {
  await create('completing');
  const { page } = await openEditor('completing');
  await goToEnd(page);
  const pick = async (typed: string, label: string): Promise<void> => {
    await page.keyboard.type(typed);
    await proposal(page, label).waitFor();
    await takeProposal(page);
  };
  await page.keyboard.insertText('  - id: third\n    ');
  await pick('acti', 'action');
  await pick('http.', 'http.request');
  await page.keyboard.insertText('\n    depends: [');
  await pick('fet', 'fetch');
  await page.keyboard.press('End');
  await page.keyboard.insertText('\n    description: ${');
  await pick('params.REG', 'params.REGION');

  const lines = (await text(page).locator('.cm-line').allTextContents()).map((line) => line.trim());
  expect(lines).toEqual(
    expect.arrayContaining(['action: http.request', 'depends: [fetch]', 'description: ${params.REGION}']),
  );
});

it('narrows proposals when more was typed since the request', async () => {
  await create('hurrying');
  const { page } = await openEditor('hurrying');
  await goToEnd(page);
  await page.locator('.cm-content[aria-autocomplete=list]').waitFor();
  const questions = await holdQuestions(page);
  await page.keyboard.insertText('  - id: third\n    depends: [');
  await page.waitForFunction(({ held }) => held.length > 0, questions);
  await page.keyboard.type('fet');
  await questions.evaluate(({ release }) => release());

  await proposal(page, 'fetch').waitFor();
});

it('shows the graph, the form of the parameters and the next runs of unsaved text (statement 17)', async () => {
  await create('previewing');
  const { page } = await openEditor('previewing');
  await goToEnd(page);
  await page.keyboard.insertText('  - id: unsaved\n    run: echo new\n');
  await graphStep(page, 'unsaved').waitFor();

  await page.getByRole('tab', { name: 'Parameters' }).click();
  await page.getByRole('textbox', { name: 'REGION' }).waitFor();
  await page.getByRole('tab', { name: 'Next runs' }).click();
  expect(await page.getByRole('tabpanel', { name: 'Next runs' }).getByRole('time').count()).toBe(5);
  expect(await stored('previewing')).toBe(spec);
});

it('saves without overwriting the change of another, and merges both (statement 18)', async () => {
  await create('shared');
  const { page, complaints } = await openEditor('shared');
  await goToEnd(page);
  await page.keyboard.insertText('  - id: mine\n    run: echo mine\n');
  const theirs = spec.replace('# nightly export', '# nightly export, theirs');
  await pages.server().call('PUT', '/dags/shared/spec', { spec: theirs });

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Somebody else has saved this meanwhile' }).waitFor();
  expect(await stored('shared')).toBe(theirs);
  await page.getByText('Their changes and yours were brought together').waitFor();
  await page.getByRole('button', { name: 'Save the result' }).click();
  await page.getByText('The spec is stored.').waitFor();

  expect(await stored('shared')).toBe(`${theirs}  - id: mine\n    run: echo mine\n`);
  expect(complaints).toEqual([]);
});

it('keeps both texts in view where both changed the same line (statement 18)', async () => {
  await create('clashing', 'steps:\n  - id: a\n    run: echo one\n');
  const { page } = await openEditor('clashing');
  await text(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('steps:\n  - id: a\n    run: echo mine\n');
  await pages.server().call('PUT', '/dags/clashing/spec', { spec: 'steps:\n  - id: a\n    run: echo theirs\n' });

  await page.keyboard.press('Control+s');
  await page.getByText('Both of you changed one place.').waitFor();
  await page.getByRole('textbox', { name: 'Theirs, as it is stored' }).getByText('echo theirs').waitFor();
  await page.getByRole('textbox', { name: 'The result, which you can edit' }).getByText('echo mine').waitFor();
  await page.getByRole('button', { name: 'Edit it further' }).click();
  await text(page).getByText('echo mine').waitFor();
  expect(await stored('clashing')).toContain('echo theirs');
});

it('shows what would be saved, and keeps a draft over a reload until it is discarded', async () => {
  await create('drafting');
  const { page } = await openEditor('drafting');
  await goToEnd(page);
  await page.keyboard.insertText('# a thought\n');
  await page.getByRole('button', { name: 'Changes' }).click();
  await page.getByRole('textbox', { name: 'Yours' }).getByText('# a thought').waitFor();

  await page.reload();
  await page.getByText('This is your draft from earlier').waitFor();
  await text(page).getByText('# a thought').waitFor();
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await text(page).textContent()).not.toContain('# a thought');
});

it('starts a run of the unsaved text, and does not change the file', async () => {
  await create('trying');
  const { page } = await openEditor('trying');
  await goToEnd(page);
  await page.keyboard.insertText('  - id: tried\n    run: echo tried\n');
  await page.getByRole('button', { name: 'Start this text' }).click();
  await page.getByRole('button', { name: 'Show the run' }).click();
  await page.waitForURL(/dag-runs\/trying\//);

  const answer = await pages.server().call('GET', '/dag-runs/trying/latest');
  const { dagRunDetails } = (await answer.json()) as { dagRunDetails: { nodes: { step: { name: string } }[] } };
  expect(dagRunDetails.nodes.map(({ step }) => step.name)).toContain('tried');
  expect(await stored('trying')).toBe(spec);
});

it('goes to a step, and formats the text', async () => {
  await create('walking', 'steps:\n    - id:   one\n      run: echo one\n');
  const { page } = await openEditor('walking');
  await graphStep(page, 'one').waitFor();
  await page.getByRole('button', { name: 'Format' }).click();
  await text(page).getByText('- id: one').waitFor();
  await page.getByRole('button', { name: /Go to step/ }).click();
  await page.getByRole('option', { name: 'one' }).click();
  await page.locator('.cm-activeLine', { hasText: 'id: one' }).waitFor();
});

it('changes the base configuration in the same editor (statement 53)', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'settings/base-config' });
  await text(page).click();
  await page.keyboard.insertText('steps: []\n');
  await page.getByRole('region', { name: '1 problem' }).getByText('belongs to one DAG').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('env:\n  - TEAM: data\n');
  await page.getByRole('heading', { name: 'No problems' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The spec is stored.').waitFor();

  const answer = await pages.server().call('GET', '/settings/base-config');
  expect(await answer.json()).toMatchObject({ spec: 'env:\n  - TEAM: data\n' });
  expect(complaints).toEqual([]);
});

const proposal = (page: Page, label: string) =>
  page.locator('.cm-tooltip-autocomplete li[aria-selected]', { hasText: label });

/** Keeps what the editor asks for proposals from the language until it is released. */
const holdQuestions = (page: Page) =>
  page.evaluateHandle(() => {
    const original: PropertyDescriptor = Object.getOwnPropertyDescriptor(Worker.prototype, 'postMessage') ?? {};
    const held: (() => void)[] = [];
    Worker.prototype.postMessage = function (this: Worker, message: { readonly task: string }) {
      const send = () => Reflect.apply(original.value as Worker['postMessage'], this, [message]);
      if (message.task === 'complete') held.push(send);
      else send();
    };
    const release = () => {
      Object.defineProperty(Worker.prototype, 'postMessage', original);
      held.forEach((send) => send());
    };
    return { held, release };
  });

const graphStep = (page: Page, name: string): Locator => page.locator('.react-flow__node', { hasText: name });

/** The list takes no keys in the moment in which it opens, lest it takes one that was meant for the text. */
async function takeProposal(page: Page): Promise<void> {
  const opened = await page.evaluate(() => performance.now());
  await page.waitForFunction((start) => performance.now() - start > 100, opened);
  await page.keyboard.press('Enter');
  await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' });
}

it('finds a text in the spec by Ctrl-F', async () => {
  await create('finding');
  const { page } = await openEditor('finding');
  await text(page).click();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find' }).pressSequentially('steps');

  await page.locator('.cm-searchMatch', { hasText: 'steps' }).waitFor();
});
