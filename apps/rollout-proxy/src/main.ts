import os from 'node:os';
import path from 'node:path';
import { isAppError } from '@weir/foundation';
import { createLogger, limitHeapGrowth, startService, waitForStopSignal } from '@weir/service-kit';
import { readCommandLine } from './command-line';
import { startServer } from './composition';
import { loadConfig, variables } from './config';
import { setUpServing } from './engine-setup';
import { firstSteps } from './features/system/first-steps';
import { leadWorkers } from './workers/lead-workers';
import { connectToLeader, workerVariable } from './workers/worker-link';

// The build sets the version; a program that runs from its sources has none.
declare const WEIR_VERSION: string;

async function main(): Promise<number> {
  const line = readCommandLine(process.argv.slice(2), {
    version: typeof WEIR_VERSION === 'string' ? WEIR_VERSION : 'unbuilt',
    variables,
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  });
  if ('exitCode' in line) return line.exitCode;
  const env = { ...process.env, ...line.env };
  const config = loadConfig(env, { userHome: os.homedir(), workingDirectory: process.cwd() });
  const log = createLogger({ ...config.log, destination: process.stderr });
  const number = process.env[workerVariable];
  if (number === undefined && config.workers > 1) {
    const program = path.join(__dirname, 'main.js');
    return leadWorkers({ config, env, program, logger: log, print: (text) => console.log(text) });
  }
  const worker = number === undefined ? undefined : connectToLeader(Number(number));
  const logger = worker === undefined ? log : log.child({ worker: worker.number });
  const service = await startService({
    logger,
    start: async (add) => {
      const uiFolder = path.join(__dirname, 'ui');
      const { http, ...server } = await startServer({ config, setUpServing, logger, uiFolder, worker }, add);
      limitHeapGrowth();
      if (worker === undefined) console.log(firstSteps({ url: http.url, ...server }));
    },
  });
  return waitForStopSignal(service, worker?.signals ?? process, logger);
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    console.error(isAppError(error) ? `rollout-proxy: ${error.message}` : error);
    process.exit(1);
  },
);
