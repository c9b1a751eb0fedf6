import { actionFailed } from '../action-errors';
import { actionPath } from '../action-paths';
import { defineExecutor, type ActionWork } from '../define-executor';
import { exchange, type HttpAnswer } from './http-exchange';
import { printAnswer } from './print-answer';
import { readAnswer } from './read-answer';
import { requestBody } from './request-body';
import { isSuccess, requestHeaders, requestUrl } from './request-parts';
import { saveAnswer } from './save-answer';
import { withTimeLimit } from './time-limit';

const defaultTimeoutSec = 60;
const maxRedirects = 10;

/** Sends one request and prints its answer; one that is not 2xx fails the step. */
export const httpRequest = defineExecutor(async (work) => {
  const seconds = work.settings.number('timeout') ?? defaultTimeoutSec;
  // As everywhere, 0 is no limit: the one of the step or the run ends it.
  await withTimeLimit(seconds * 1_000, work.signal, (signal) => request(work, signal));
  return undefined;
});

async function request(work: ActionWork, signal: AbortSignal): Promise<void> {
  const { call, settings, log } = work;
  const content = await requestBody(call, settings);
  const url = requestUrl(settings);
  const method = settings.required('method');
  const headers = requestHeaders(settings, content);
  if (settings.flag('debug')) {
    // Values of headers and of the query are where tokens stand.
    log.note(`${method} ${url.origin}${url.pathname}`);
    for (const name of Object.keys(headers)) log.note(`${name}: …`);
  }
  const { body } = content;
  const isAnyCertificateFine = settings.flag('skip_tls_verify');
  const asked = { method, url, headers, isAnyCertificateFine, signal, maxRedirects };
  const answer = await exchange(body ? { ...asked, body } : asked);
  await take(work, answer, signal);
  if (!isSuccess(answer.status)) throw actionFailed(`The answer has HTTP status ${answer.status}.`);
}

async function take({ call, settings, log }: ActionWork, answer: HttpAnswer, signal: AbortSignal): Promise<void> {
  const output = settings.text('output');
  // What a failed request says is for people, and no file that later steps could take for the right one.
  if (output !== undefined && isSuccess(answer.status)) {
    await saveAnswer(answer.body, actionPath(call, output), signal);
    printAnswer(answer, undefined, settings, log);
    return;
  }
  const body = await readAnswer(answer.body, call.maxOutputBytes, signal);
  printAnswer(answer, body, settings, log);
}
