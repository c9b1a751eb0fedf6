import { findInaccessible, findPoorContrast } from './accessibility';
import { comparePicture, keepPicture, pictureFile, waitForStill } from './compare-picture';
import { pageHeight, type OpenedPage } from './open-page';

const [desktop, phone] = [1280, 390];

/**
 * Checks a page in both themes, on a desktop and on a phone: nothing may be inaccessible, refused by the content
 * security policy, wider than the window, or different from its picture in `pictures`.
 */
export async function findFormProblems(
  { page, complaints }: OpenedPage,
  name: string,
  pictures: string,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const width of [desktop, phone]) {
    await page.setViewportSize({ width, height: pageHeight });
    if (width === desktop) await waitForStill(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const form = `${name}-${colorScheme}-${width}`;
      const picture = pictureFile(pictures, form);
      const isCompared = width === desktop && colorScheme === 'light';
      await keepPicture(page, picture, isCompared);
      if (isCompared) problems.push(...(await comparePicture(page, picture)));
      // A theme changes nothing but colours.
      const found = await (colorScheme === 'light' ? findInaccessible(page) : findPoorContrast(page));
      problems.push(...found.map((problem) => `${form}: ${problem}`));
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overflow > 0) problems.push(`${name}-${width}: ${overflow} px wider than the window`);
  }
  return [...problems, ...complaints];
}
