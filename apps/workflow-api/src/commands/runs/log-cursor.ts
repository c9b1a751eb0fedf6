import type { WorkflowClient } from '@weir/workflow-client';
import type { LogLine } from '@weir/workflow-contract/schemas';

export interface LogAddress {
  readonly name: string;
  readonly dagRunId: string;
  readonly stepName: string;
  /** Default: all. */
  readonly attempt?: number | undefined;
}

const linesPerRequest = 1_000;

/** Reads the log of a step with both of its streams, each time from where the last reading ended. */
export class LogCursor {
  readonly #client: WorkflowClient;
  readonly #address: LogAddress;
  #byte = 0;
  #attempt: number | undefined;

  constructor(client: WorkflowClient, address: LogAddress) {
    this.#client = client;
    this.#address = address;
  }

  /** Yields the lines that were added. While the step may write more, the last line is kept back until it is complete. */
  async *read({ hasEnded }: { readonly hasEnded: boolean }): AsyncGenerator<LogLine> {
    for (;;) {
      const { lines, nextByte, totalBytes } = await this.#readLines({ byte: this.#byte, limit: linesPerRequest });
      const last = lines.at(-1);
      const isPartial = !hasEnded && last !== undefined && !last.isCut && endOf(last) >= totalBytes;
      yield* isPartial ? lines.slice(0, -1) : lines;
      this.#byte = isPartial ? last.byte : nextByte;
      if (lines.length < linesPerRequest) return;
    }
  }

  /** To be called for each line that was read: whether it is the first one of an attempt, in a log of several. */
  beginsAttempt({ attempt }: LogLine): boolean {
    const begins = attempt !== undefined && attempt !== this.#attempt;
    this.#attempt = attempt;
    return begins;
  }

  /** Returns the last lines, and does not change what `read` reads next. */
  async readTail(tail: number): Promise<readonly LogLine[]> {
    return (await this.#readLines({ tail })).lines;
  }

  async #readLines(query: { readonly byte?: number; readonly tail?: number; readonly limit?: number }) {
    const { attempt, ...path } = this.#address;
    const selection = { stream: 'both', ...(attempt === undefined ? {} : { attempt }) } as const;
    const { data } = await this.#client.GET('/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/lines', {
      params: { path, query: { ...query, ...selection } },
    });
    return data;
  }
}

function endOf({ byte, text }: LogLine): number {
  return byte + Buffer.byteLength(text);
}
