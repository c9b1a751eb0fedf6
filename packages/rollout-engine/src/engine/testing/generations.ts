import type { GenerationEnd, GenerationEvent, GenerationRequest, TokenChoice } from '../port/inference-engine';

export interface Collected {
  readonly ids: readonly number[];
  readonly logprobs: readonly number[];
  readonly versions: readonly number[];
  readonly top: readonly (readonly TokenChoice[])[];
  readonly pieces: number;
  readonly end: GenerationEnd;
}

export function aRequest(changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    requestId: 'request-1',
    sessionId: 'session-1',
    promptIds: Int32Array.from([11, 12, 13]),
    maxNewTokens: 16,
    sampling: {},
    stopTokenIds: [],
    stop: [],
    topLogprobs: 0,
    isStreaming: true,
    ...changes,
  };
}

export const neverAborted: AbortSignal = new AbortController().signal;

/** Collects a whole generation; the versions of the end replace those of the pieces. */
export async function collect(events: AsyncIterable<GenerationEvent>): Promise<Collected> {
  const ids: number[] = [];
  const logprobs: number[] = [];
  const versions: number[] = [];
  const top: (readonly TokenChoice[])[] = [];
  const ends: GenerationEnd[] = [];
  let pieces = 0;
  for await (const event of events) {
    if (event.kind === 'end') {
      ends.push(event);
      continue;
    }
    expect(ends).toEqual([]);
    pieces += 1;
    ids.push(...event.tokens.ids);
    logprobs.push(...event.tokens.logprobs);
    versions.push(...event.tokens.versions);
    top.push(...(event.top ?? []));
  }
  const [end] = ends;
  if (end === undefined || ends.length > 1) throw new Error(`${ends.length} ends`);
  return { ids, logprobs, versions: end.versions === undefined ? versions : [...end.versions], top, pieces, end };
}
