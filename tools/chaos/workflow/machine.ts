import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { compiledCode, spawnProcess, type SpawnedProcess } from '@weir/test-kit';
import type { MachineNetwork } from './network';

export type MachineRole = 'server' | 'scheduler' | 'worker';

export interface MachineOptions {
  readonly name: string;
  readonly role: MachineRole;
  readonly network: MachineNetwork;
  /** The folder of this machine, which every machine has under `home`. */
  readonly folder: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A process of the built program with a separate network, name and home folder. */
export interface Machine {
  readonly name: string;
  readonly role: MachineRole;
  readonly network: MachineNetwork;
  readonly url: string;
  start(): Promise<void>;
  isRunning(): boolean;
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  output(): string;
}

const program = path.resolve(__dirname, '../../../apps/workflow-api/dist/main.js');
const port = 8080;
const startDeadlineMs = 120_000;
const lifeTimeMs = 6 * 3_600_000;
const asMachine = 'mount --bind "$1" "$2" && hostname "$3" && shift 3 && exec "$@"';
const greetings: Readonly<Record<MachineRole, RegExp>> = {
  server: /Weir is up/,
  scheduler: /Weir follows the schedules/,
  worker: /Weir executes queued runs/,
};

export function createMachine({ name, role, network, folder, home, env }: MachineOptions): Machine {
  let child: SpawnedProcess | undefined;
  let earlier = '';
  mkdirSync(folder, { recursive: true });
  mkdirSync(home, { recursive: true });
  return {
    name,
    role,
    network,
    url: `http://${network.address}:${port}/api/v1`,
    start: async () => {
      earlier += child === undefined ? '' : child.stdout() + child.stderr();
      const command = [process.execPath, program, role];
      child = await spawnProcess({
        command: 'ip',
        args: [
          'netns',
          'exec',
          network.namespace,
          'unshare',
          '--uts',
          '--mount',
          'sh',
          '-c',
          asMachine,
          'sh',
          folder,
          home,
          `chaos-${name}`,
          ...command,
        ],
        env: {
          ...compiledCode,
          HOME: home,
          WEIR_HOME: path.join(home, 'weir'),
          WEIR_HOST: network.address,
          WEIR_PORT: String(port),
          ...env,
        },
        deadlineMs: lifeTimeMs,
      });
      await child.waitForOutput(greetings[role], startDeadlineMs);
    },
    isRunning: () => child?.isRunning() === true,
    signal: async (signal) => {
      if (child?.isRunning() !== true) return;
      process.kill(child.pid, signal);
      if (signal === 'SIGKILL') await child.exited;
    },
    output: () => earlier + (child === undefined ? '' : child.stdout() + child.stderr()),
  };
}
