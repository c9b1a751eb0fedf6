import { findInaccessible, findPoorContrast } from '@weir/test-kit/browser';
import { Secret, TOTP } from 'otpauth';
import { admin } from './support/start-server';
import { usePages, type OpenedPage } from './support/use-pages';

const pages = usePages();
let secret: string;

/** The code that the authenticator shows so many periods from now. */
const codeIn = (periods: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periods * 30_000 });

// The cases are one story, in this order.
beforeAll(() => pages.server().setUp());

it('sets up a second factor, with a QR code and recovery codes that are shown once', async () => {
  const opened = await pages.openAsAdmin({ path: 'settings' });
  const { page, complaints } = opened;
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await dialog.getByLabel('Present password').fill(admin.password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByRole('img', { name: 'QR code for an authenticator' }).waitFor();
  secret = await dialog.getByRole('region', { name: 'Key of the authenticator' }).innerText();
  expect(await findProblems(opened)).toEqual([]);

  await dialog.getByLabel('Code that it shows now').fill(codeIn(0));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = await dialog.getByRole('region', { name: 'Recovery codes' }).innerText();
  expect(new Set(codes.trim().split('\n')).size).toBe(10);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('10 recovery codes left').waitFor();
  expect(complaints).toEqual([]);
});

it('asks for the code at the sign-in, and reports a wrong one, statement 3', async () => {
  const opened = await pages.open({ path: 'settings' });
  const { page } = opened;
  await page.getByLabel('Username').fill(admin.username);
  await page.getByLabel('Password').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const code = page.getByLabel('Code of your authenticator');
  await code.waitFor();
  await expect(page.getByRole('alert').count()).resolves.toBe(0);
  expect(await findProblems(opened)).toEqual([]);

  await code.fill('nothing');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor();
  await code.fill(codeIn(1));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

it('is removed by an admin for a user who has lost it', async () => {
  const { page } = await pages.openAsAdmin({ path: 'users' });
  await page.getByRole('button', { name: 'Actions of ada' }).click();
  await page.getByRole('menuitem', { name: 'Remove the second factor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the second factor' }).click();
  await page.getByText('ada signs in with the password only.').waitFor();

  await page.goto(`${pages.server().url}settings`);
  await page.getByText('Off: the password is enough.').waitFor();
});

/** React Aria tells the end of a pending button by an element that names it, and stays when the button has gone. */
const ofPastButton = 'role-img-alt: <div role="img" aria-labelledby="react-aria';

/** What is inaccessible in both themes, on a desktop and on a phone. */
async function findProblems({ page }: OpenedPage): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      problems.push(...(await findPoorContrast(page)));
    }
    problems.push(...(await findInaccessible(page)));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overflow > 0) problems.push(`${width}: ${overflow} px wider than the window`);
  }
  return problems.filter((problem) => !problem.startsWith(ofPastButton));
}
