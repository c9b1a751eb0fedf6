/** API keys can be limited to operations that read, start and stop, change definitions, or manage the server. */
export const areas = ['read', 'run', 'write', 'manage'] as const;
export type Area = (typeof areas)[number];
