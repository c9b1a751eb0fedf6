import os from 'node:os';
import path from 'node:path';
import { isAppError } from '@weir/foundation';
import { createLogger, limitHeapGrowth, startService, waitForStopSignal } from '@weir/service-kit';
import { readCommandLine } from './command-line';
import { startServer } from './composition';
import { loadConfig, variables } from './config';
import { setUpServing } from './engine-setup';
import { firstSteps } from './features/system/first-steps';

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
  const config = loadConfig(
    { ...process.env, ...line.env },
    { userHome: os.homedir(), workingDirectory: process.cwd() },
  );
  const logger = createLogger({ ...config.log, destination: process.stderr });
  const service = await startService({
    logger,
    start: async (add) => {
      const uiFolder = path.join(__dirname, 'ui');
      const { http, ...server } = await startServer({ config, setUpServing, logger, uiFolder }, add);
      limitHeapGrowth();
      console.log(firstSteps({ url: http.url, ...server }));
    },
  });
  return waitForStopSignal(service, process, logger);
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    console.error(isAppError(error) ? `rollout-proxy: ${error.message}` : error);
    process.exit(1);
  },
);
