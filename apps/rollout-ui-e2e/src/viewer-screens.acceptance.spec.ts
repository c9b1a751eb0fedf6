import path from 'node:path';
import { findFormProblems, type OpenedPage } from '@weir/test-kit/browser';
import { seedDistilled, seedSessions, type SeededViewer } from './support/seed-sessions';
import { useViewer } from './support/use-viewer';

interface Screen {
  readonly name: string;
  /** The path below `/ui/`. */
  readonly path: (seeded: SeededViewer) => string;
  /** A text that is there once the screen has its data. */
  readonly ready: string | RegExp;
}

const ofBranched = (search: string) => (seeded: SeededViewer) => `sessions/${seeded.branched.id}?${search}`;

/** Every screen; one line for each. */
const screens: readonly Screen[] = [
  { name: 'sessions', path: () => '', ready: 'weather-agent-0' },
  { name: 'sessions-by-task', path: () => '?group=task', ready: 'weather-agent' },
  { name: 'sessions-by-model', path: () => '?group=model', ready: 'Model asked for' },
  { name: 'sessions-no-match', path: () => '?text=nothing-like-this', ready: 'No session matches' },
  { name: 'task', path: () => 'tasks/sheep', ready: 'Advantage' },
  { name: 'session-messages', path: ofBranched(''), ready: 'Thanks!' },
  { name: 'session-tokens', path: ofBranched('pane=tokens'), ready: 'Least probable' },
  { name: 'session-versions', path: ofBranched('pane=tokens&colour=version'), ready: 'Least probable' },
  { name: 'session-raw', path: ofBranched('pane=raw'), ready: 'Provenance' },
  { name: 'session-rows', path: ofBranched('view=rows&style=concat&pane=tokens&colour=mask'), ready: 'Row 2' },
  { name: 'compare', path: () => 'compare?a=sheep-0&b=sheep-1', ready: /equal tokens from the beginning/ },
  { name: 'search', path: () => 'search?text=berlin', ready: /places? in/ },
  { name: 'status', path: () => 'status', ready: 'Tokens by version of the weights' },
  { name: 'not-found', path: () => 'no/such/page', ready: 'There is no such page' },
];

const pictures = path.resolve(__dirname, '../pictures');
const pages = useViewer({ ROLLOUT_PRICES: '{"fake":{"input":200,"output":800}}' });
let seeded: SeededViewer;
let opened: OpenedPage;

beforeAll(async () => {
  seeded = await seedSessions(pages.viewer());
  opened = await pages.openAsReader();
});

it('the sign-in is accessible in both themes, on a desktop and on a phone', async () => {
  const signIn = await pages.open();
  await signIn.page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await findFormProblems(signIn, 'rollout-sign-in', pictures)).toEqual([]);
});

it.each(screens)('$name is accessible in both themes, on a desktop and on a phone', async ({ name, path, ready }) => {
  await opened.page.goto(`${pages.viewer().url}/ui/${path(seeded)}`);
  await opened.page.getByText(ready).first().waitFor();
  expect(await findFormProblems(opened, `rollout-${name}`, pictures)).toEqual([]);
});

it('the likeliest tokens are accessible in both themes, on a desktop and on a phone', async () => {
  const { id } = await seedDistilled(pages.viewer());
  await opened.page.goto(`${pages.viewer().url}/ui/sessions/${id}?pane=tokens&colour=score:teacher`);
  await opened.page.getByRole('button', { name: 'Least probable' }).click();
  await opened.page.getByText('%').first().waitFor();
  expect(await findFormProblems(opened, 'rollout-session-likeliest', pictures)).toEqual([]);
});

it('the export is accessible in both themes, on a desktop and on a phone', async () => {
  await opened.page.goto(`${pages.viewer().url}/ui/sessions/${seeded.branched.id}`);
  await opened.page.getByRole('button', { name: 'Export' }).click();
  await opened.page.getByRole('dialog', { name: 'Export' }).waitFor();
  expect(await findFormProblems(opened, 'rollout-export', pictures)).toEqual([]);
});
