import { waitFor } from '@weir/test-kit';
import type { ServerUnderTest } from './server-under-test';

export type Call = (path: string, body?: unknown) => Promise<unknown>;

/** Calls of the API as its admin; anything but a success is an error. */
export function callsOf({ baseUrl, token }: Pick<ServerUnderTest, 'baseUrl' | 'token'>): Call {
  return async (path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as unknown;
  };
}

export interface RunDetails {
  readonly statusLabel: string;
  readonly nodes: readonly { readonly stdout: string; readonly finishedAt: string; readonly statusLabel: string }[];
}

export async function endOfRun(call: Call, path: string, deadlineMs = 10 * 60_000): Promise<RunDetails> {
  return waitFor(
    async () => {
      const { dagRunDetails } = (await call(path)) as { readonly dagRunDetails: RunDetails };
      return ['succeeded', 'failed', 'aborted'].includes(dagRunDetails.statusLabel) ? dagRunDetails : undefined;
    },
    { deadlineMs, intervalMs: 100, what: `the end of ${path}` },
  );
}

/** The value below which this share of them is. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export async function timesOf(rounds: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times;
}

export function printRow(...cells: readonly (string | number)[]): void {
  const texts = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell));
  console.log(`| ${texts.join(' | ')} |`);
}

export function numberOf(name: string, otherwise: number): number {
  return Number(process.env[name] ?? String(otherwise));
}
