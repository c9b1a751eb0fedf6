import type { Resource } from '@weir/service-kit';
import type { RunStopper } from '../dag-runs';
import { startControlServer, type ControlServerOptions } from './control-server';
import { createRunControl, type RunControl, type RunControlDependencies } from './run-control';

export interface LocalControlOptions extends RunControlDependencies, Pick<ControlServerOptions, 'socket' | 'logger'> {
  readonly stopper: RunStopper;
  /** Whether other processes reach the database themselves, so that nobody has to listen for them. */
  readonly isShared: boolean;
}

export interface LocalControl extends Resource {
  readonly runControl: RunControl;
  /** Listens for commands of the same user, where they need it. */
  listen(carriesOut: ControlServerOptions['carriesOut']): Promise<void>;
}

/** What the command line can do here, and from other processes through this one. */
export function createLocalControl(options: LocalControlOptions): LocalControl {
  const { stopper, isShared } = options;
  const runControl = createRunControl(options);
  let server: Resource | undefined;
  return {
    name: 'local control',
    runControl,
    listen: async (carriesOut) => {
      if (isShared) return;
      const stopRun = (id: string) => stopper.ask(id);
      server = await startControlServer({ ...options, control: runControl, stopRun, carriesOut });
    },
    stop: () => server?.stop() ?? Promise.resolve(),
  };
}
