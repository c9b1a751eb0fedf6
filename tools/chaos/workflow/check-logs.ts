import { chaosDag } from './cluster';

interface LogAnswer {
  readonly content: string;
}

/** Why the log of a step is not what it has to be; nothing when it is complete or says what is missing. */
export async function findLogProblem(
  baseUrl: string,
  {
    run,
    step,
    begun,
    isDone,
  }: { readonly run: string; readonly step: string; readonly begun: number; readonly isDone: boolean },
): Promise<string | undefined> {
  if (begun === 0) return undefined;
  const [output, errors] = await Promise.all(
    ['stdout', 'stderr'].map((stream) => readLog(baseUrl, { run, step, stream })),
  );
  if (output === undefined || errors === undefined) return `${run} ${step}: the log cannot be read`;
  const isSaid = errors.includes('The worker of this run was lost');
  const lines = output.split('\n');
  const last = lines.slice(lines.lastIndexOf('line 0'));
  // One whose process was killed is as long as what it had printed.
  const printed = isDone ? expected : expected.slice(0, last.filter((line) => line !== '').length);
  const isComplete = printed.every((line, index) => last[index] === line);
  return isComplete || isSaid ? undefined : `${run} ${step}: ${begun} begun, ${lines.length} lines, nothing said`;
}

const expected = [...Array.from({ length: 20 }, (_, index) => `line ${index}`), 'end'];

async function readLog(
  baseUrl: string,
  { run, step, stream }: { readonly run: string; readonly step: string; readonly stream: string },
): Promise<string | undefined> {
  const url = `${baseUrl}/dag-runs/${chaosDag}/${run}/steps/${step}/log?stream=${stream}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
  const body = (await response.json()) as LogAnswer;
  return response.ok ? body.content : undefined;
}
