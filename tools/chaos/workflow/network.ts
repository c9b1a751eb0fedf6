import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The fault of a machine's network in a round. `cut`: nothing passes; `deaf` and `mute`: one direction. */
export const networkFaults = ['cut', 'deaf', 'mute', 'slow'] as const;
export type NetworkFault = (typeof networkFaults)[number];

const bridge = 'wchaos0';
const subnet = '10.77.0';
/** The address of this machine, where the database and the store of objects are. */
export const hostAddress = `${subnet}.1`;

export interface MachineNetwork {
  readonly namespace: string;
  readonly address: string;
  begin(fault: NetworkFault): Promise<void>;
  end(fault: NetworkFault): Promise<void>;
}

/**
 * Creates a network of machines with these names, each in a separate namespace. Needs root, `ip`, `iptables` and `tc`.
 */
export async function createNetwork(names: readonly string[]): Promise<ReadonlyMap<string, MachineNetwork>> {
  await removeNetwork(names);
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('addr', 'add', `${hostAddress}/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  const machines = new Map<string, MachineNetwork>();
  for (const [index, name] of names.entries()) machines.set(name, await addMachine(name, index));
  return machines;
}

/** Also removes the remains of a killed run. */
export async function removeNetwork(names: readonly string[]): Promise<void> {
  for (const name of names) await ip('netns', 'del', namespaceOf(name)).catch(() => undefined);
  await ip('link', 'del', bridge).catch(() => undefined);
}

async function addMachine(name: string, index: number): Promise<MachineNetwork> {
  const namespace = namespaceOf(name);
  const outside = `wchaos-${index + 1}`;
  const address = `${subnet}.${index + 11}`;
  const within = (...command: readonly string[]) => ip('netns', 'exec', namespace, ...command);
  await ip('netns', 'add', namespace);
  await ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  await ip('link', 'set', outside, 'master', bridge, 'up');
  await within('ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0');
  for (const link of ['eth0', 'lo']) await within('ip', 'link', 'set', link, 'up');
  const drop = (change: '-I' | '-D', chain: 'INPUT' | 'OUTPUT', direction: '-i' | '-o') =>
    within('iptables', change, chain, direction, 'eth0', '-j', 'DROP');
  const change = async (fault: NetworkFault, isBegun: boolean): Promise<void> => {
    if (fault === 'slow')
      return within('tc', 'qdisc', isBegun ? 'add' : 'del', 'dev', 'eth0', 'root', ...(isBegun ? slow : []));
    if (fault !== 'mute') await drop(isBegun ? '-I' : '-D', 'INPUT', '-i');
    if (fault !== 'deaf') await drop(isBegun ? '-I' : '-D', 'OUTPUT', '-o');
  };
  return { namespace, address, begin: (fault) => change(fault, true), end: (fault) => change(fault, false) };
}

// Packets of a machine wait for up to a second. Delays need netem, which not every kernel has.
const slow = ['tbf', 'rate', '200kbit', 'burst', '4kb', 'latency', '1s'];

function namespaceOf(name: string): string {
  return `weir-chaos-${name}`;
}

async function ip(...args: readonly string[]): Promise<void> {
  await execute('ip', args, { timeout: 10_000 });
}
