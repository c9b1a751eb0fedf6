import type { Engine } from './engine';
import { runCommand } from './run-command';

/** Prints status and body. */
const callScript = `
const { url, method, body, token } = JSON.parse(process.argv[1]);
const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: 'Bearer ' + token }) };
fetch(url, { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) })
  .then(async (answer) => console.log(JSON.stringify({ status: answer.status, body: await answer.text() })))
  .catch((error) => { console.error(String(error.cause ?? error)); process.exitCode = 1; });
`;

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly token?: string | undefined;
}

export interface Answer {
  /** 0 where nothing answered. */
  readonly status: number;
  readonly body: string;
}

/** Calls a published port, from where those ports are. */
export async function callPublished(engine: Engine, call: Call): Promise<Answer> {
  const command = [...engine.networkPrefix, process.execPath, '-e', callScript, JSON.stringify(call)];
  const { code, stdout } = await runCommand(command, { timeoutMs: 90_000 });
  return code === 0 ? (JSON.parse(stdout) as Answer) : { status: 0, body: '' };
}
