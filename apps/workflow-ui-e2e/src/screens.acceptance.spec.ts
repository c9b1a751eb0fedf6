import path from 'node:path';
import { findFormProblems } from '@weir/test-kit/browser';
import { screens, screensInUse, type Screen } from './support/screens';
import { seedHistory, seedOperation } from './support/seed-runs';
import { usePages, type OpenedPage } from './support/use-pages';

const pages = usePages();

it('the set-up is accessible in both themes, on a desktop and on a phone', async () => {
  const opened = await pages.open();
  await opened.page.getByRole('button', { name: 'Create the admin' }).waitFor();
  await checkForms(opened, 'set-up');
});

describe('with an admin and runs', () => {
  let admin: OpenedPage;

  beforeAll(async () => {
    await seedHistory(pages.server());
    admin = await pages.openAsAdmin();
  });

  it('the sign-in is accessible in both themes, on a desktop and on a phone', async () => {
    const opened = await pages.open();
    await opened.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await checkForms(opened, 'sign-in');
  });

  const check = async ({ name, ready, path }: Screen): Promise<void> => {
    await admin.page.goto(`${pages.server().url}${path}`);
    await admin.page.getByRole(ready.role, { name: ready.name }).first().waitFor();
    await checkForms(admin, name);
  };

  it.each(screens)('$name is accessible in both themes, on a desktop and on a phone', check);

  describe('and with data for the operation screens', () => {
    beforeAll(() => seedOperation(pages.server()));

    it.each(screensInUse)('$name is accessible in both themes, on a desktop and on a phone', check);
  });
});

async function checkForms(opened: OpenedPage, name: string): Promise<void> {
  expect(await findFormProblems(opened, name, path.resolve(__dirname, '../pictures'))).toEqual([]);
}
