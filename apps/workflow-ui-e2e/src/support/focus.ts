import type { Page } from 'playwright-core';

/**
 * Walks with Tab over the page, until it is where it began, and returns the beginning of each element that has the
 * focus without showing it.
 */
export async function findUnseenFocus(page: Page, presses: number): Promise<readonly string[]> {
  const unseen = new Set<string>();
  let isInText = await page.evaluate(isInEditor);
  for (let press = 0; press < presses; press += 1) {
    // In the editor Tab indents, unless Escape comes before it.
    if (isInText) await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.evaluate(afterTwoFrames);
    const found = await page.evaluate(describeFocus, press === 0);
    if (found.isFirst && press > 0) break;
    if (found.unseen !== undefined) unseen.add(found.unseen);
    ({ isInText } = found);
  }
  return [...unseen];
}

function isInEditor(): boolean {
  return document.activeElement?.shadowRoot?.activeElement?.getAttribute('contenteditable') === 'true';
}

/** Runs in the page: once what has happened is drawn. The editor marks its focus a moment later. */
export function afterTwoFrames(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

interface FocusReport {
  /** Whether it is on the element that the walk reached first. */
  readonly isFirst: boolean;
  readonly isInText: boolean;
  readonly unseen: string | undefined;
}

/** Runs in the page, after each press. A field may show the focus on the box or the label around it. */
function describeFocus(isStart: boolean): FocusReport {
  // The editor is in a shadow tree, because of the styles that it writes.
  const element = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
  const walk = window as Window & { weirFirstFocus?: Element | null };
  if (isStart) walk.weirFirstFocus = element;
  const place = {
    isFirst: walk.weirFirstFocus === element,
    isInText: element?.getAttribute('contenteditable') === 'true',
  };
  if (element === null || element === document.body) return { ...place, unseen: undefined };
  const around = [
    element,
    element.parentElement,
    element.closest('label, .cm-editor'),
    element.closest('[data-focus-visible]'),
  ];
  const active = document.getElementById(element.getAttribute('aria-activedescendant') ?? '');
  const shown = [...around, active].find((one) => {
    if (one === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
  });
  const start = element.outerHTML.slice(0, 160);
  if (shown === undefined || shown === null) return { ...place, unseen: `no outline: ${start}` };
  const { top, bottom, left, right } = shown.getBoundingClientRect();
  const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return { ...place, unseen: isInView ? undefined : `out of view: ${start}` };
}
