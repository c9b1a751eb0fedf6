import { useSyncExternalStore } from 'react';
import { languages, type Language } from './text/define-messages';

export const themes = ['system', 'light', 'dark'] as const;
export const densities = ['comfortable', 'compact'] as const;

/** The choices of a person in this browser. */
interface Preferences {
  readonly theme: (typeof themes)[number];
  readonly density: (typeof densities)[number];
  readonly language: Language;
  /** `local` for the zone of the browser, else a name such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** Whether single keys are shortcuts. */
  readonly hasShortcuts: boolean;
}

const storageKey = 'weir.preferences';
const defaults: Preferences = {
  theme: 'system',
  density: 'comfortable',
  language: 'en',
  timeZone: 'local',
  hasShortcuts: true,
};

const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  const stored = parse(localStorage.getItem(storageKey));
  const oneOf = <Value extends string>(values: readonly Value[], value: unknown, fallback: Value): Value =>
    values.find((candidate) => candidate === value) ?? fallback;
  return {
    theme: oneOf(themes, stored.theme, defaults.theme),
    density: oneOf(densities, stored.density, defaults.density),
    language: oneOf(languages, stored.language, defaults.language),
    timeZone: typeof stored.timeZone === 'string' ? stored.timeZone : defaults.timeZone,
    hasShortcuts: stored.hasShortcuts !== false,
  };
}

/** Another version or a person may have stored anything here. */
function parse(text: string | null): Partial<Record<keyof Preferences, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function apply({ theme, density, language }: Preferences): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  dataset.density = density;
  document.documentElement.lang = language;
}

/** Applies earlier choices; must be called before the first paint. */
export function applyPreferences(): Preferences {
  apply(current);
  return current;
}

export function changePreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  localStorage.setItem(storageKey, JSON.stringify(current));
  apply(current);
  for (const listener of listeners) listener();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
