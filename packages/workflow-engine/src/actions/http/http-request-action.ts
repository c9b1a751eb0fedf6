import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isAppError } from '@weir/foundation';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { sendRequest, type HttpResponse } from './send-request';
import { printResponse } from './print-response';
import { readResponse, boundedBody } from './read-response';
import { buildBody } from './request-body';
import { isSuccess, buildHeaders, buildUrl } from './request-parts';
import { withTimeLimit } from './request-time-limit';
import { errorCode } from '../../host/files/error-code';

const defaultTimeoutSec = 60;
const maxRedirects = 10;

type Work = ActionWork<'http.request'>;

/** Sends one request and prints the response; a status other than 2xx fails the step. */
export const httpRequest: ActionExecutor<'http.request'> = async (work) => {
  const { timeout: seconds = defaultTimeoutSec } = work.settings;
  // 0 is no limit, as everywhere; the limits of step and run still apply.
  await withTimeLimit(seconds * 1_000, work.signal, (signal) => request(work, signal));
  return undefined;
};

async function request(work: Work, signal: AbortSignal): Promise<void> {
  const { call, settings, log } = work;
  const content = await buildBody(call, settings);
  const url = buildUrl(settings);
  const method = settings.method ?? 'GET';
  const headers = buildHeaders(settings, content);
  if (settings.debug === true) {
    // Values of headers and query parameters may be tokens.
    log.note(`${method} ${url.origin}${url.pathname}`);
    for (const name of Object.keys(headers)) log.note(`${name}: …`);
  }
  const { body } = content;
  const acceptsAnyCertificate = settings.skip_tls_verify === true;
  const asked = { method, url, headers, acceptsAnyCertificate, signal, maxRedirects };
  const response = await sendRequest(body ? { ...asked, body } : asked);
  await handleResponse(work, response, signal);
  if (!isSuccess(response.status)) throw actionFailed(`The response has HTTP status ${response.status}.`);
}

async function handleResponse(
  { call, settings, log }: Work,
  response: HttpResponse,
  signal: AbortSignal,
): Promise<void> {
  const output = settings.output;
  // The body of a failed request is printed and not saved: later steps could mistake the file for a result.
  if (output !== undefined && isSuccess(response.status)) {
    await saveResponse(response.body, actionPath(call, output), signal);
    printResponse(response, undefined, settings, log);
    return;
  }
  const body = await readResponse(response.body, call.maxOutputBytes, signal);
  printResponse(response, body, settings, log);
}

/** A download is not held in memory, so it may be larger than printed output. */
const maxFileBytes = 1_073_741_824;

/** Saves the body atomically: after a failure the file is as it was before. */
async function saveResponse(body: IncomingMessage, file: string, signal: AbortSignal): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await pipeline(boundedBody(body, maxFileBytes, signal), createWriteStream(part, { flags: 'wx' }), { signal });
    await rename(part, file);
  } catch (error) {
    if (isAppError(error) || signal.aborted) throw error;
    throw actionFailed(`output cannot be written (${errorCode(error) ?? 'unknown error'}).`, error);
  } finally {
    body.destroy();
    await rm(part, { force: true });
  }
}
