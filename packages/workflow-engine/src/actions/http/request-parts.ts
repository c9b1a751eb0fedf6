import { actionFailed } from '../action-errors';
import type { ActionSettings } from '../action-settings';
import type { RequestBody } from './request-body';

/** The address with its further query parameters. */
export function buildUrl(settings: ActionSettings): URL {
  const text = settings.required('url');
  if (!URL.canParse(text)) throw actionFailed('url is no address of the web.');
  const url = new URL(text);
  for (const [name, value] of Object.entries(settings.textMap('query'))) url.searchParams.append(name, value);
  return url;
}

/** The headers of the settings, with what is said about the request where they say nothing of it. */
export function buildHeaders(settings: ActionSettings, { contentType }: RequestBody) {
  const given = Object.entries(settings.textMap('headers')).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    // Answers are printed as they come, so they must not come packed.
    'accept-encoding': 'identity',
    'user-agent': 'weir',
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(Object.fromEntries(given) as Readonly<Record<string, string>>),
  };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
