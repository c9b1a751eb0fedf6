import { shellQuote } from '../shell-quote';
import type { StartRequest } from './start-data';

/** The same start as commands for a terminal. */
export interface StartCommands {
  readonly curl: string;
  readonly cli: string;
}

export function toCommands(api: string, { fileName, body }: StartRequest): StartCommands {
  const { params, dagRunId, profile } = body;
  return {
    curl: [
      `curl -X POST ${shellQuote(`${api}/dags/${encodeURIComponent(fileName)}/start`)}`,
      `-H "Authorization: Bearer $WEIR_TOKEN"`,
      `-H 'Content-Type: application/json'`,
      `-d ${shellQuote(JSON.stringify(body))}`,
    ].join(' \\\n  '),
    cli: [
      `weir enqueue ${shellQuote(fileName)}`,
      ...(params === undefined ? [] : [`--params ${shellQuote(params)}`]),
      ...(dagRunId === undefined ? [] : [`--run-id ${shellQuote(dagRunId)}`]),
      ...(profile === undefined ? [] : [`--profile ${shellQuote(profile)}`]),
    ].join(' '),
  };
}
