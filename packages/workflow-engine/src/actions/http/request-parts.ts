import type { SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';
import type { RequestBody } from './request-body';

type RequestSettings = Pick<SettingsFor<'http.request'>, 'url' | 'query' | 'headers'>;

/** The address with the query parameters of the settings added. */
export function buildUrl({ url: text, query = {} }: RequestSettings): URL {
  if (!URL.canParse(text)) throw actionFailed('url is not an http or https URL.');
  const url = new URL(text);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url;
}

/** The headers of the settings over the usual ones; names in lower case. */
export function buildHeaders({ headers = {} }: Pick<RequestSettings, 'headers'>, { contentType }: RequestBody) {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    // Responses are printed as they come, so they must not be compressed.
    'accept-encoding': 'identity',
    'user-agent': 'weir',
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(Object.fromEntries(given) as Readonly<Record<string, string>>),
  };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
