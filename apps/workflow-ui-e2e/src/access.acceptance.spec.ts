import { findUnseenFocus } from './support/focus';
import { screens } from './support/screens';
import { seedHistory } from './support/seed-runs';
import { usePages, type OpenedPage } from './support/use-pages';

const pages = usePages();
/** A desktop of 1280 × 1024 pixels at 400 %. */
const zoomed = { width: 320, height: 256 };
const desktop = { width: 1280, height: 800 };
const presses = 45;

let admin: OpenedPage;

beforeAll(async () => {
  await seedHistory(pages.server());
  admin = await pages.openAsAdmin();
});

describe.each(screens)('$name', ({ path, ready }) => {
  beforeAll(async () => {
    const { page } = admin;
    await page.setViewportSize(desktop);
    await page.goto(`${pages.server().url}${path}`);
    await page.getByRole(ready.role, { name: ready.name }).first().waitFor();
  });

  // Statement 38.
  it('shows the focus at every position that the keyboard reaches', async () => {
    expect(await findUnseenFocus(admin.page, presses)).toEqual([]);
  });

  // Statement 39; that names and roles are there for screen readers is checked with the pictures of all screens.
  it('has one heading and landmarks, fits at 400 %, and names every status', async () => {
    const { page } = admin;
    await expect(page.getByRole('heading', { level: 1 }).count()).resolves.toBe(1);
    await expect(page.getByRole('main').count()).resolves.toBe(1);
    await expect(page.getByRole('navigation', { name: 'Main navigation' }).count()).resolves.toBe(1);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('main svg[data-tone]')]
        .filter((shape) => shape.closest('svg[aria-label], a[aria-label], button[aria-label]') === null)
        .filter(
          (shape) =>
            (shape.closest('[title], span[data-tone], a, button, li, td, [role="row"]')?.textContent ?? '').trim() ===
            '',
        )
        .map((shape) => shape.parentElement?.outerHTML.slice(0, 160)),
    );
    expect(nameless).toEqual([]);
    await page.setViewportSize(zoomed);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

    expect(overflow).toBeLessThanOrEqual(0);
  });
});
