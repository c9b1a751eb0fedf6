/** A single key presses the element on the page that `data-shortcut` marks with it. */
const pageKeys = ['s', 'r', 'l', 'e', '[', ']'] as const;

/** The single keys of a list. */
const rowKeys = ['j', 'k', 'o', 'x'] as const;

const row = '[role="row"][data-key]';
const rows = `main [role="grid"] ${row}`;

/** Presses the element with the key: in the focused row, else on the page outside of lists. Returns whether there is one. */
export function pressPageKey(key: string): boolean {
  if (!pageKeys.some((known) => known === key)) return false;
  const marked = `[data-shortcut="${key}"]`;
  const ofRow = focusedRow()?.querySelector<HTMLElement>(marked);
  const ofPage = [...document.querySelectorAll<HTMLElement>(`main ${marked}`)].find(
    (element) => element.closest(row) === null && element.checkVisibility(),
  );
  const target = ofRow ?? ofPage;
  target?.focus();
  target?.click();
  return target !== undefined;
}

/** Moves through the rows of a list, opens or selects the focused one. Returns whether there is a list. */
export function pressRowKey(key: string): boolean {
  if (!rowKeys.some((known) => known === key)) return false;
  const current = focusedRow();
  if (key === 'j' || key === 'k') return moveFocus(current, key === 'j' ? 1 : -1);
  if (current === undefined) return false;
  if (key === 'x') current.querySelector<HTMLElement>('input[type="checkbox"]')?.click();
  else openRow(current);
  return true;
}

function focusedRow(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>(rows) ?? undefined;
}

/** Moves from no row to the first one, and stays at an end. */
function moveFocus(current: HTMLElement | undefined, by: number): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(rows)].filter((element) => element.checkVisibility());
  const next = current === undefined ? all[0] : (all[all.indexOf(current) + by] ?? current);
  next?.focus();
  return next !== undefined;
}

/** Opens the row like Enter, which shows it beside the list. */
function openRow(element: HTMLElement): void {
  element.focus();
  for (const type of ['keydown', 'keyup']) {
    element.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }));
  }
}
