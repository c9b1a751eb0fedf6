import type { Locator, Page } from 'playwright-core';

/** Does what a person does with a page, and counts clicks and keys. What is typed into fields is not counted. */
export interface CountedHand {
  readonly page: Page;
  readonly click: (target: Locator) => Promise<void>;
  readonly press: (key: string) => Promise<void>;
  readonly count: () => number;
}

export function createCountedHand(page: Page): CountedHand {
  let count = 0;
  return {
    page,
    click: async (target) => {
      count += 1;
      await target.click();
    },
    press: async (key) => {
      count += 1;
      await page.keyboard.press(key);
    },
    count: () => count,
  };
}
