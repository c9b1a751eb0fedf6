import { usePages } from './support/use-pages';

const pages = usePages();

// Statements 2 and 3.
it('sets up the first admin, runs the example and signs out, from the address that the server prints', async () => {
  expect(pages.server().process.stdout()).toContain(`Open it in a browser: ${pages.server().url}`);
  const { page, complaints } = await pages.open();

  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Create the admin' }).click();
  await page.getByRole('button', { name: 'Run the example' }).click();
  await page.getByRole('grid', { name: 'Runs' }).getByText('Succeeded').waitFor({ timeout: 20_000 });

  await page.reload();
  await page.getByRole('button', { name: 'ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor();
  expect(complaints).toEqual([]);
});
