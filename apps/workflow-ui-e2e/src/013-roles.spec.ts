import { usePages } from './support/use-pages';

const pages = usePages();
const password = 'a rather long sentence';

/** From the weakest to the strongest. */
const roles = ['viewer', 'operator', 'developer', 'manager', 'admin'] as const;
type Role = (typeof roles)[number];

/** Actions with the weakest role that may use them. */
const actions: readonly { readonly path: string; readonly button: string; readonly needs: Role }[] = [
  { path: 'workspaces', button: 'Add a workspace', needs: 'developer' },
  { path: 'docs', button: 'New document', needs: 'developer' },
  { path: 'status', button: 'Download a support bundle', needs: 'developer' },
  { path: 'users', button: 'Add a user', needs: 'admin' },
  { path: 'api-keys', button: 'Create a key', needs: 'admin' },
];

beforeAll(async () => {
  await pages.server().setUp();
  for (const role of roles) await pages.server().call('POST', '/users', { username: `a-${role}`, password, role });
});

it.each(roles)('tells a %s before the click what the role does not allow, statement 43', async (role) => {
  const { page } = await pages.open();
  const answer = await page.context().request.post(`${pages.server().url}api/v1/auth/login`, {
    data: { username: `a-${role}`, password, session: true },
  });
  expect(answer.ok()).toBe(true);

  for (const { path, button, needs } of actions) {
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/permissions')),
      page.goto(`${pages.server().url}${path}`),
    ]);
    const isPermitted = roles.indexOf(role) >= roles.indexOf(needs);
    const found = page.getByRole('button', { name: button, exact: true, disabled: !isPermitted });
    await found.waitFor();
    if (isPermitted) continue;
    await found.focus();
    await page.keyboard.press('Shift');
    await found.hover();
    await page
      .getByRole('tooltip')
      .filter({ hasText: `This needs the role ${needs}` })
      .first()
      .waitFor();
  }
});
