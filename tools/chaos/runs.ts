import { setTimeout as delay } from 'node:timers/promises';

export interface RunView {
  readonly status: number;
  readonly startedAt: string;
  readonly finishedAt: string;
}

const ended: readonly number[] = [2, 3, 4, 6, 8];
export const succeeded = 4;

/** Puts a run into its queue under this id. Whether the server said that it has it; it may have it all the same. */
export async function enqueue(baseUrl: string, dag: string, dagRunId: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/dags/${dag}/enqueue`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dagRunId }),
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // The server was killed over it.
    return false;
  }
}

export async function view(baseUrl: string, dag: string, id: string): Promise<RunView | undefined> {
  const response = await fetch(`${baseUrl}/dag-runs/${dag}/${id}`, { signal: AbortSignal.timeout(10_000) });
  const body = (await response.json()) as { readonly dagRunDetails?: RunView };
  return response.ok ? body.dagRunDetails : undefined;
}

/** How the run ended; `undefined` if it has not ended by then or does not exist. */
export async function waitForEnd(
  baseUrl: string,
  dag: string,
  id: string,
  deadline: number,
): Promise<RunView | undefined> {
  for (;;) {
    const found = await view(baseUrl, dag, id);
    if (found === undefined || ended.includes(found.status)) return found;
    if (Date.now() > deadline) return undefined;
    await delay(25);
  }
}
