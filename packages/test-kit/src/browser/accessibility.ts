import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** Returns one line for each accessibility problem on the current page. */
export async function findInaccessible(page: Page): Promise<readonly string[]> {
  return describeFindings(await analyze(page));
}

/** The part of it that depends on colours. */
export async function findPoorContrast(page: Page): Promise<readonly string[]> {
  return describeFindings(
    await analyze(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }),
  );
}

async function analyze(page: Page, options: RunOptions = {}): Promise<AxeResults> {
  // The script is larger than half a megabyte, so it is loaded once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate((own) => window.axe.run(document, { resultTypes: ['violations'], ...own }), options);
}

function describeFindings({ violations }: AxeResults): readonly string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
