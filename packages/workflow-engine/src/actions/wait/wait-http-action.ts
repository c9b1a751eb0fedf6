import { isAppError } from '@weir/errors';
import type { ActionDependencies, ActionExecutor } from '../action-executor';
import { isList, type ActionSettings } from '../action-settings';
import { defineExecutor, type ActionWork } from '../define-executor';
import { durationMs } from '../duration';
import { sendRequest } from '../http/send-request';
import { encodeBody } from '../http/request-body';
import { isSuccess, buildHeaders, buildUrl } from '../http/request-parts';
import { withTimeLimit } from '../http/time-limit';
import { timerPause } from '../pause';
import { intervalMs } from './interval';
import { sleepFor } from './sleep';

const defaultIntervalMs = 5_000;
const defaultRequestMs = 30_000;
const maxRedirects = 10;

/** Asks until the address gives the expected status; an address that does not answer is asked again. */
export function createWaitHttp({ pause = timerPause }: Pick<ActionDependencies, 'pause'>): ActionExecutor {
  return defineExecutor(async (work) => {
    const { settings, signal, log } = work;
    const wanted = wantedStatuses(settings);
    const interval = intervalMs(settings, defaultIntervalMs);
    let lastNote: string | undefined;
    for (;;) {
      const found = await ask(work, wanted);
      if (typeof found === 'number' && (wanted ? wanted.has(found) : isSuccess(found))) return undefined;
      const text = typeof found === 'number' ? `The answer has HTTP status ${found}.` : found;
      // However long it takes, the log only grows when something changes.
      if (text !== lastNote) log.note(text);
      lastNote = text;
      await sleepFor(interval, pause, signal);
    }
  });
}

/** The status of the answer, or why there was none. */
async function ask(
  { settings, signal }: ActionWork,
  wanted: ReadonlySet<number> | undefined,
): Promise<number | string> {
  const value = settings.value('body');
  const content = value === undefined ? {} : encodeBody(value);
  const { body } = content;
  const call = {
    method: settings.text('method') ?? 'GET',
    url: buildUrl(settings),
    headers: buildHeaders(settings, content),
    acceptsAnyCertificate: false,
    // A redirection that is waited for must not be followed.
    maxRedirects: [...(wanted ?? [])].some((status) => status >= 300 && status < 400) ? 0 : maxRedirects,
    ...(body ? { body } : {}),
  };
  try {
    return await withTimeLimit(durationMs(settings, 'request_timeout') ?? defaultRequestMs, signal, async (limited) => {
      const answer = await sendRequest({ ...call, signal: limited });
      answer.body.destroy();
      return answer.status;
    });
  } catch (error) {
    if (signal.aborted || !isAppError(error)) throw error;
    return error.message;
  }
}

function wantedStatuses(settings: ActionSettings): ReadonlySet<number> | undefined {
  const value = settings.value('status');
  if (value === undefined) return undefined;
  const statuses = isList(value) ? value : [value];
  return new Set(statuses.filter((status) => typeof status === 'number'));
}
