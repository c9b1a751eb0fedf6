/** An unsaved text, with the text that it was made from. */
export interface Draft {
  readonly text: string;
  /** The stored text before the changes. */
  readonly base: string;
  readonly tag: string;
}

const prefix = 'weir.draft.';

/** Reads the unsaved text in this browser. */
export function readDraft(key: string): Draft | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(prefix + key) ?? 'null');
    if (typeof value !== 'object' || value === null) return undefined;
    const { text, base, tag } = value as Partial<Record<keyof Draft, unknown>>;
    return typeof text === 'string' && typeof base === 'string' && typeof tag === 'string'
      ? { text, base, tag }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether the browser had room for it. */
export function keepDraft(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(key: string): void {
  localStorage.removeItem(prefix + key);
}
