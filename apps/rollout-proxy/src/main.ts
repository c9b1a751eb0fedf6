import os from 'node:os';
import path from 'node:path';
import { isAppError } from '@weir/errors';
import { createLogger, startService, waitForStopSignal } from '@weir/service-kit';
import { startServer } from './composition';
import { loadConfig } from './config';
import { setUpServing } from './engine-setup';
import { firstSteps } from './features/system/first-steps';

async function main(): Promise<number> {
  const config = loadConfig(process.env, { userHome: os.homedir(), workingDirectory: process.cwd() });
  const logger = createLogger({ ...config.log, destination: process.stderr });
  const service = await startService({
    logger,
    start: async (add) => {
      const uiFolder = path.join(__dirname, 'ui');
      const { http, ...server } = await startServer({ config, setUpServing, logger, uiFolder }, add);
      console.log(firstSteps({ url: http.url, ...server }));
    },
  });
  return waitForStopSignal(service, process, logger);
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    console.error(isAppError(error) ? `weir-rollout: ${error.message}` : error);
    process.exit(1);
  },
);
