import { createLogger, startService, waitForStopSignal, type SignalSource } from '@weir/service-kit';
import { startServer } from '../composition';
import type { Config } from '../config';
import { firstExample } from '../examples/examples';
import { writeExamples } from '../examples/write-examples';
import { prepareHome } from '../home-folder';
import type { Identity } from '../identity';
import { welcomeText, type SignInState } from './welcome-text';

export interface ServeOptions {
  readonly config: Config;
  readonly version: string;
  readonly migrationsFolder: string;
  readonly parserFile: string;
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly withWorker: boolean;
  readonly signals: SignalSource;
  /** Where text for a person goes. */
  readonly print: (text: string) => void;
}

/** Serves until a stop signal comes; returns the exit code. Rejects when the start fails. */
export async function serve(options: ServeOptions): Promise<number> {
  const { config, withWorker, print } = options;
  const logger = createLogger(config.log);
  const service = await startService({
    logger,
    start: async (add) => {
      await prepareHome(config.home);
      if (withWorker && config.dags.writeExamples) await writeExamples(config.dags.folder);
      const { http, workflow, identity } = await startServer({ ...options, logger }, add);
      if (config.log.format === 'json') return;
      const hasExample = (await workflow.store.readMark(firstExample)) !== undefined;
      print(
        welcomeText({
          url: `${http.url}${config.basePath}`,
          signIn: await readSignInState(config, identity),
          withWorker,
          example: hasExample ? firstExample : undefined,
        }),
      );
    },
  });
  return waitForStopSignal(service, options.signals, logger);
}

async function readSignInState({ auth }: Config, identity: Identity): Promise<SignInState> {
  if (auth.mode === 'none') return 'off';
  return (await identity.needsSetup()) ? 'no_users' : 'ready';
}
