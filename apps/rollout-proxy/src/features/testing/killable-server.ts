import { createLogger, startService } from '@weir/service-kit';
import { startServer } from '../../composition';
import { loadConfig } from '../../config';
import { serveEcho } from './test-proxy';

/** A real process to be killed: the service of the specs, set up by its environment. */
// oxlint-disable-next-line no-restricted-properties -- a program of its own, as main.ts is
const config = loadConfig(process.env, { userHome: '/nowhere', workingDirectory: '/nowhere' });
const logger = createLogger({ ...config.log, destination: process.stderr });
void startService({
  logger,
  start: async (add) => {
    const { http } = await startServer({ config, setUpServing: serveEcho, logger }, add);
    process.stdout.write(`url ${http.url}\n`);
  },
});
