import type { Page } from 'playwright-core';

const mostPresses = 120;

/** The role and name by which assistive technology knows the focused element. */
async function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    const labelled = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = labelled.map((id) => {
      const label = document.getElementById(id)?.cloneNode(true) as HTMLElement | undefined;
      for (const hidden of label?.querySelectorAll('[aria-hidden]') ?? []) hidden.remove();
      return label?.textContent ?? '';
    });
    const field = element instanceof HTMLInputElement ? (element.labels?.[0]?.textContent ?? '') : '';
    const own = element.getAttribute('aria-label') ?? '';
    return [own, field, labels.join(' '), element.innerText].find((name) => name.trim() !== '')?.trim() ?? '';
  });
}

/** Presses a key until what has the focus is named like this. */
export async function pressUntil(page: Page, key: string, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < mostPresses; presses += 1) {
    const focused = await focusedName(page);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    seen.push(focused);
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${String(name)}, but to ${JSON.stringify([...new Set(seen)])}.`);
}
