import type { ResponseHolds } from '@weir/test-kit';
import type { ServerResponse } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { nanMark, type FakePart, type EngineDialect } from './fake-dialects';
import type { FakeEngineRequest } from './fake-engine-types';
import { seededNumbers, type FakeSample } from './fake-sampling';

export interface FakeWriterDeps {
  readonly dialect: EngineDialect;
  readonly request: FakeEngineRequest;
  readonly sample: FakeSample;
  readonly versions: 'spans' | 'answer' | 'none';
  readonly holds: ResponseHolds;
  /** Called with the number of tokens before the abort. */
  readonly onAborted: (count: number) => void;
}

export async function writeAnswer(deps: FakeWriterDeps, response: ServerResponse): Promise<void> {
  const faults = deps.sample.answer.faults ?? {};
  if (faults.resetBeforeAnswer === true) {
    reset(response);
    return;
  }
  if (faults.status !== undefined) {
    const error = { message: faults.message ?? 'refused', code: faults.status };
    sendJson(response, faults.status, JSON.stringify({ error }));
    return;
  }
  let sample = deps.sample;
  if (faults.isHeld === true) {
    const end = await deps.holds.wait(response);
    if (end === 'closed') return;
    if (end === 'abort') sample = aborted(deps, faults.holdAfterTokens ?? 0);
  }
  if (faults.garbage === true) {
    sendJson(response, 200, '{"choices": [');
    return;
  }
  if (deps.request.isStreaming) await writeStream({ ...deps, sample }, response);
  else await writeWhole({ ...deps, sample }, response);
}

function aborted(deps: FakeWriterDeps, count: number): FakeSample {
  const { ids, logprobs, versions, labels } = deps.sample;
  deps.onAborted(count);
  return {
    ...deps.sample,
    ids: ids.slice(0, count),
    logprobs: logprobs.slice(0, count),
    versions: versions.slice(0, count),
    labels: labels.slice(0, count),
    finishReason: 'abort',
  };
}

async function writeWhole(deps: FakeWriterDeps, response: ServerResponse): Promise<void> {
  const { sample } = deps;
  const { faults, byteByByte } = sample.answer;
  const body = Buffer.from(formatPart(deps, { from: 0, to: sample.ids.length, isLast: true }));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  if (faults?.resetAfterTokens !== undefined || faults?.truncateAfterTokens !== undefined) {
    await write(response, body.subarray(0, body.length >> 1), false);
    if (faults.resetAfterTokens === undefined) response.socket?.end();
    else reset(response);
    return;
  }
  await write(response, body, byteByByte === true);
  response.end();
}

async function writeStream(deps: FakeWriterDeps, response: ServerResponse): Promise<void> {
  const { sample, dialect: words } = deps;
  const { faults, byteByByte } = sample.answer;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (text: string): Promise<void> => write(response, Buffer.from(`data: ${text}\n\n`), byteByByte === true);
  let isDuplicated = false;
  for (const part of splitParts(deps)) {
    if (part.to > (faults?.resetAfterTokens ?? Infinity)) {
      reset(response);
      return;
    }
    if (part.to > (faults?.truncateAfterTokens ?? Infinity)) return void response.end();
    if (faults?.holdAfterTokens !== undefined && part.from === faults.holdAfterTokens) {
      const end = await deps.holds.wait(response);
      if (end === 'closed') return;
      if (end === 'abort') {
        const last = { ...deps, sample: aborted(deps, part.from) };
        await send(formatPart(last, { from: part.from, to: part.from, isLast: true }));
        break;
      }
    }
    if (response.destroyed) return;
    await send(formatPart(deps, faults?.isEndless === true ? { ...part, isLast: false } : part));
    if (faults?.duplicatePiece === true && !isDuplicated && !part.isLast) {
      isDuplicated = true;
      await send(formatPart(deps, part));
    }
  }
  while (faults?.isEndless === true && !response.destroyed)
    await write(response, Buffer.from(': still here\n\n'), false);
  for (const text of words.streamEnd) await send(text);
  response.end();
}

function* splitParts({ request, sample }: FakeWriterDeps): Generator<FakePart> {
  const { length } = sample.ids;
  const next = seededNumbers(request.callNumber + 1);
  const size = sample.answer.tokensPerPiece ?? 1;
  const hold = sample.answer.faults?.holdAfterTokens;
  for (let from = 0; from < length || from === 0;) {
    let to = Math.min(length, from + Math.max(1, size === 'seeded' ? 1 + Math.floor(next() * 5) : size));
    // Held tokens are not sampled yet.
    if (hold !== undefined && from < hold) to = Math.min(to, hold);
    yield { from, to, isLast: to === length };
    if (to === length) return;
    from = to;
  }
}

function formatPart({ dialect: words, request, sample, versions }: FakeWriterDeps, part: FakePart): string {
  return JSON.stringify(words.render(request, sample, part, versions)).replaceAll(`"${nanMark}"`, 'NaN');
}

async function write(response: ServerResponse, bytes: Buffer, isSlow: boolean): Promise<void> {
  if (!isSlow) {
    response.write(bytes);
    return yieldToEventLoop();
  }
  for (let at = 0; at < bytes.length && !response.destroyed; at += 1) {
    response.write(bytes.subarray(at, at + 1));
    await yieldToEventLoop();
  }
}

function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

export function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(text);
}

export function sendEvents(response: ServerResponse, texts: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(texts.map((text) => `data: ${text}\n\n`).join(''));
}
