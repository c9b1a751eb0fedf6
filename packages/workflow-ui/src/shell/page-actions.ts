/** A button, switch or tab of the page. */
export interface PageAction {
  readonly name: string;
  readonly refusal: string | undefined;
  readonly press: () => void;
}

const pressable = 'main :is(button, [role="tab"], [role="switch"], [role="radio"])';
/** Rows and texts have keys of their own. */
const apart = '[role="grid"], [role="listbox"], [role="toolbar"] [role="group"], [contenteditable]';

/** Lists everything that can be pressed on the present page, by its name; of several with one name, the first. */
export function listPageActions(): readonly PageAction[] {
  const actions = new Map<string, PageAction>();
  for (const element of document.querySelectorAll<HTMLElement>(pressable)) {
    const name = nameOf(element);
    const isOutOfReach = element.closest(apart) !== null || element.matches(':disabled') || !element.checkVisibility();
    if (name === '' || isOutOfReach || actions.has(name)) continue;
    actions.set(name, { name, refusal: refusalOf(element), press: () => press(element) });
  }
  return [...actions.values()];
}

function nameOf(element: HTMLElement): string {
  return (element.getAttribute('aria-label') ?? element.innerText).replaceAll(/\s+/g, ' ').trim();
}

/** A disabled button shows the reason on the element around it. */
function refusalOf(element: HTMLElement): string | undefined {
  return element.dataset.refused === undefined ? undefined : element.closest<HTMLElement>('[title]')?.title;
}

/** Waits until the palette has closed and returned the focus. */
function press(element: HTMLElement): void {
  requestAnimationFrame(() => {
    element.focus();
    element.click();
  });
}
