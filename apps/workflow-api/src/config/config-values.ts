import { z } from 'zod';

// Parsers of environment variables.

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

export const duration = z
  .string()
  .regex(/^\d{1,8}[smhd]$/, 'must be a number with a unit: 30s, 15m, 24h, 7d')
  .transform((text) => Number(text.slice(0, -1)) * unitSeconds[text.slice(-1) as keyof typeof unitSeconds]);

export const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
export const folderPath = z.string().max(4096);

/** The folders that a topic needs to complete its paths. */
export interface Folders {
  readonly home: string;
  /** Resolves `~` and relative paths. */
  readonly absolute: (path: string) => string;
}
