import type { CatalogueEntry } from './catalogue-entry';

/** Actions and their settings. */
export const actionFindings = {} as const satisfies Record<string, CatalogueEntry>;
