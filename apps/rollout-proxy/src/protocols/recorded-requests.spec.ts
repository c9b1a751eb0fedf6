import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Request, Response } from 'express';
import { sessionKey, startProtocolApp, type ProtocolApp } from './testing/protocol-app';
import { sdkScenarios, type SdkScenario } from './testing/sdk-scenarios';

/** A request as an SDK sent it, and the completion that was made of it. */
interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: number;
  /** `null` where no completion is made of it. */
  readonly completion: unknown;
}

/** The headers that a server evaluates; the others describe the machine. */
const telling = [
  'accept',
  'anthropic-beta',
  'anthropic-version',
  'authorization',
  'content-type',
  'idempotency-key',
  'x-api-key',
  'x-goog-api-key',
  'x-stainless-helper-method',
  'x-stainless-lang',
  'x-stainless-retry-count',
];

const fixture = (name: string): string => path.join(__dirname, '__fixtures__', `${name}.json`);

describe.each(Object.entries(sdkScenarios))('%s', (name, scenario) => {
  // To record a request again, for example after a new version of an SDK, delete its file.
  it('sends the recorded request', async () => {
    const recorded = await record(scenario);
    if (!existsSync(fixture(name))) writeFileSync(fixture(name), `${JSON.stringify(recorded, null, 2)}\n`);
    expect(recorded).toEqual(stored(name));
  });

  it('is read the same as when it was recorded', async () => {
    const app = await startProtocolApp();
    try {
      for (const { path: address, headers, body, status, completion } of stored(name)) {
        // Answers that are gone on from have to be there.
        const before = app.completions.completions.length;
        if (!('previous_response_id' in (body as object))) {
          const answer = await app.post(address, JSON.stringify(body), withKey(headers));
          expect(answer.status).toBe(status);
          expect(completionAfter(app, before)).toEqual(completion);
        }
      }
    } finally {
      await app.stop();
    }
  });
});

async function record(scenario: SdkScenario): Promise<readonly RecordedRequest[]> {
  const recorded: RecordedRequest[] = [];
  let completions = 0;
  const watch = (req: Request, res: Response): void => {
    res.once('finish', () => {
      const headers = Object.fromEntries(
        telling.flatMap((header): [string, string][] => {
          const value = req.get(header);
          return value === undefined ? [] : [[header, value.replace(sessionKey, '<key>')]];
        }),
      );
      // The reader leaves the bytes on the request.
      const body: unknown = JSON.parse(String(req.body));
      const { statusCode: status } = res;
      recorded.push({ path: req.originalUrl, headers, body, status, completion: completionAfter(app, completions) });
      completions = app.completions.completions.length;
    });
  };
  const app = await startProtocolApp({ watch });
  try {
    await scenario(app);
  } finally {
    await app.stop();
  }
  return recorded;
}

/** The completion as in a file, without the parts that differ for every request. */
function completionAfter(app: ProtocolApp, before: number): unknown {
  if (app.completions.completions.length === before) return null;
  return JSON.parse(JSON.stringify({ ...app.completions.last.request, identity: undefined }));
}

function stored(name: string): readonly RecordedRequest[] {
  return JSON.parse(readFileSync(fixture(name), 'utf8')) as readonly RecordedRequest[];
}

function withKey(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('<key>', sessionKey)]));
}
