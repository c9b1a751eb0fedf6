import { temporaryFolder } from '@weir/test-kit';
import { writeFileSync } from 'node:fs';
import { usePages } from './support/use-pages';

const folder = temporaryFolder();
const file = folder.file('trust.yaml');
writeFileSync(
  file,
  `- issuer: https://ci.example.com
  audience: weir
  rules:
    - { claims: { repository: my-org/shop, ref: [refs/heads/main, 'refs/tags/*'] }, role: operator, workspaces: [shop] }
`,
);
const pages = usePages({ WEIR_JOB_TRUST_FILE: file });

beforeAll(() => pages.server().setUp());
afterAll(() => folder.remove());

it('shows admins which CI jobs may sign in, and why a token does not sign one in', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'settings' });
  const rules = page.getByRole('grid', { name: 'Rules for https://ci.example.com' });
  await rules
    .getByRole('row', { name: 'Rule 1' })
    .filter({ hasText: 'repository: my-org/shop; ref: refs/heads/main, refs/tags/*' })
    .filter({ hasText: 'operator in shop' })
    .waitFor();

  await page.getByLabel('Token of a job').fill('no token');
  await page.getByRole('button', { name: 'Check the token' }).click();
  await page.getByText('A job with this token is refused.').waitFor();
  const checks = page.getByRole('grid', { name: 'What was checked of the token' });
  await checks.getByRole('row', { name: 'Issuer' }).filter({ hasText: 'The text is no OIDC token' }).waitFor();
  await checks.getByRole('row', { name: 'Signature' }).filter({ hasText: 'Not tested' }).waitFor();
  await expect(page.getByLabel('Token of a job').inputValue()).resolves.toBe('');
  expect(complaints).toEqual([]);
});
