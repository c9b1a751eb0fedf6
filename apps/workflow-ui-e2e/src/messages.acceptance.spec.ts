import { usePages } from './support/use-pages';

const pages = usePages();

beforeAll(async () => {
  await pages.server().setUp();
  await pages.server().call('POST', '/dags', { name: 'plain', spec: 'steps:\n  - { id: only, run: sleep 1 }\n' });
});

describe.each([
  ['a desktop', 1280],
  ['a phone', 390],
])('on %s', (_, width) => {
  it('a message covers neither the page nor its navigation, and is dismissed', async () => {
    const { page } = await pages.openAsAdmin({ path: 'dags', width });
    await page.getByRole('button', { name: 'Start plain' }).click();
    const messages = page.getByRole('region', { name: 'Messages' });
    const close = messages.getByRole('button', { name: 'Close' });
    await close.waitFor();

    const message = await messages.boundingBox();
    const others = await Promise.all(
      [page.getByRole('main'), page.getByRole('navigation')].map((one) => one.boundingBox()),
    );
    expect(others.map((other) => other !== null && message !== null && overlap(message, other))).toEqual([
      false,
      false,
    ]);
    await close.click();
    await close.waitFor({ state: 'hidden' });
  });
});

type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
