import type { StartRequest } from './start-data';

/** The same start, for a terminal. */
export interface StartCommands {
  readonly curl: string;
  readonly cli: string;
}

export function toCommands(api: string, { fileName, body }: StartRequest): StartCommands {
  const { params, dagRunId } = body;
  return {
    curl: [
      `curl -X POST ${quote(`${api}/dags/${encodeURIComponent(fileName)}/start`)}`,
      `-H "Authorization: Bearer $WEIR_TOKEN"`,
      `-H 'Content-Type: application/json'`,
      `-d ${quote(JSON.stringify(body))}`,
    ].join(' \\\n  '),
    cli: [
      `weir enqueue ${quote(fileName)}`,
      ...(params === undefined ? [] : [`--params ${quote(params)}`]),
      ...(dagRunId === undefined ? [] : [`--run-id ${quote(dagRunId)}`]),
    ].join(' '),
  };
}

/** For a POSIX shell; what needs no quotes stays plain. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
