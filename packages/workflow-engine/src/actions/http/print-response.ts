import type { JsonValue } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionLog } from '../../host/logs/action-log';
import type { HttpResponse } from './send-request';

/** Prints the response as the settings say. `body` is missing when it was saved to a file. */
export function printResponse(
  response: HttpResponse,
  body: Buffer | undefined,
  settings: SettingsFor<'http.request'>,
  log: ActionLog,
): void {
  const format = settings.format ?? 'text';
  if (settings.json === true || format === 'json') {
    log.line(JSON.stringify(asJson(response, body)));
    return;
  }
  const isBodyAlone = settings.silent === true || format === 'raw';
  if (!isBodyAlone) log.out(`${headText(response)}${body && body.length > 0 ? '\n' : ''}`);
  if (body) log.out(body);
  if (body && body.length > 0 && body.at(-1) !== newLine && format === 'text') log.out('\n');
}

const newLine = 0x0a;

function headText({ status, reason, headers }: HttpResponse): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((one) => `${name}: ${one}`),
  );
  return [`HTTP ${status} ${reason}`.trimEnd(), ...lines, ''].join('\n');
}

function asJson({ status, headers }: HttpResponse, body: Buffer | undefined) {
  // Under both names, since files written for Dagu read the second.
  return {
    status,
    status_code: status,
    headers,
    ...(body ? { body: bodyValue(headers['content-type'], body.toString('utf8')) } : {}),
  };
}

function bodyValue(contentType: string | undefined, text: string): JsonValue {
  if (contentType === undefined || !/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The server announced JSON but sent something else, which is shown as text.
    return text;
  }
}
