import { actionFailed } from '../action-errors';
import { actionPath } from '../action-paths';
import type { ActionExecutor, ActionWork } from '../action-executor';
import { sendRequest, type HttpResponse } from './send-request';
import { printResponse } from './print-response';
import { readResponse } from './read-response';
import { buildBody } from './request-body';
import { isSuccess, buildHeaders, buildUrl } from './request-parts';
import { saveResponse } from './save-response';
import { withTimeLimit } from './time-limit';

const defaultTimeoutSec = 60;
const maxRedirects = 10;

type Work = ActionWork<'http.request'>;

/** Sends one request and prints its answer; one that is not 2xx fails the step. */
export const httpRequest: ActionExecutor<'http.request'> = async (work) => {
  const { timeout: seconds = defaultTimeoutSec } = work.settings;
  // As everywhere, 0 is no limit: the one of the step or the run ends it.
  await withTimeLimit(seconds * 1_000, work.signal, (signal) => request(work, signal));
  return undefined;
};

async function request(work: Work, signal: AbortSignal): Promise<void> {
  const { call, settings, log } = work;
  const content = await buildBody(call, settings);
  const url = buildUrl(settings);
  const method = settings.method;
  const headers = buildHeaders(settings, content);
  if (settings.debug === true) {
    // Values of headers and of the query are where tokens stand.
    log.note(`${method} ${url.origin}${url.pathname}`);
    for (const name of Object.keys(headers)) log.note(`${name}: …`);
  }
  const { body } = content;
  const acceptsAnyCertificate = settings.skip_tls_verify === true;
  const asked = { method, url, headers, acceptsAnyCertificate, signal, maxRedirects };
  const answer = await sendRequest(body ? { ...asked, body } : asked);
  await handleResponse(work, answer, signal);
  if (!isSuccess(answer.status)) throw actionFailed(`The answer has HTTP status ${answer.status}.`);
}

async function handleResponse({ call, settings, log }: Work, answer: HttpResponse, signal: AbortSignal): Promise<void> {
  const output = settings.output;
  // What a failed request says is for people, and no file that later steps could take for the right one.
  if (output !== undefined && isSuccess(answer.status)) {
    await saveResponse(answer.body, actionPath(call, output), signal);
    printResponse(answer, undefined, settings, log);
    return;
  }
  const body = await readResponse(answer.body, call.maxOutputBytes, signal);
  printResponse(answer, body, settings, log);
}
