import os from 'node:os';
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
      const { http, adminKey, modelName } = await startServer({ config, setUpServing, logger }, add);
      console.log(firstSteps({ url: http.url, adminKey, modelName }));
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
