import AxeBuilder from '@axe-core/playwright';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** What is not accessible on the page as it is, in one line for each finding. */
export async function findInaccessible(page: Page): Promise<readonly string[]> {
  return describeFindings(await createAxe(page).analyze());
}

/** The part of it that depends on colours. */
export async function findPoorContrast(page: Page): Promise<readonly string[]> {
  return describeFindings(await createAxe(page).withRules(['color-contrast', 'link-in-text-block']).analyze());
}

/** No page has frames of its own, for which the other mode opens a window each time. */
function createAxe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
}

function describeFindings({ violations }: AxeResults): readonly string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
