import { isAppError } from '@weir/foundation';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { durationMs } from '../../values/text/duration';
import { encodeBody } from '../http/request-body';
import { buildHeaders, buildUrl, isSuccess } from '../http/request-parts';
import { sendRequest } from '../http/send-request';
import { withTimeLimit } from '../http/request-time-limit';
import { timerPause } from '../../host/concurrency/pause';
import { pollIntervalMs } from './poll-interval';
import { sleepFor } from './sleep';

const defaultIntervalMs = 5_000;
const defaultRequestMs = 30_000;
const maxRedirects = 10;

type Work = ActionWork<'wait.http'>;

/** Polls until the address responds with the expected status. An address that does not respond is polled again. */
export const waitHttp: ActionExecutor<'wait.http'> = async (work) => {
  const { settings, services, signal, log } = work;
  const { pause = timerPause } = services;
  const intervalMs = pollIntervalMs(settings.poll_interval, defaultIntervalMs);
  let lastNote: string | undefined;
  for (;;) {
    const found = await requestStatus(work);
    if (typeof found === 'number' && (settings.status?.includes(found) ?? isSuccess(found))) return undefined;
    const note = typeof found === 'number' ? `The response has HTTP status ${found}.` : found;
    // The log grows only when the result changes, however long it takes.
    if (note !== lastNote) log.note(note);
    lastNote = note;
    await sleepFor(intervalMs, pause, signal);
  }
};

/** The status of the response, or why there was none. */
async function requestStatus({ settings, signal }: Work): Promise<number | string> {
  const content = settings.body === undefined ? {} : encodeBody(settings.body);
  const { body } = content;
  const request = {
    method: settings.method ?? 'GET',
    url: buildUrl(settings),
    headers: buildHeaders(settings, content),
    acceptsAnyCertificate: false,
    // An expected redirection must not be followed.
    maxRedirects: settings.status?.some((status) => status >= 300 && status < 400) === true ? 0 : maxRedirects,
    ...(body ? { body } : {}),
  };
  const timeoutMs = durationMs('request_timeout', settings.request_timeout, defaultRequestMs);
  try {
    return await withTimeLimit(timeoutMs, signal, async (limited) => {
      const response = await sendRequest({ ...request, signal: limited });
      response.body.destroy();
      return response.status;
    });
  } catch (error) {
    if (signal.aborted || !isAppError(error)) throw error;
    return error.message;
  }
}
