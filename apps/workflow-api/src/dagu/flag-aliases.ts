/** The counterpart of a flag of a command of Dagu. */
export type FlagAlias =
  | {
      /** The flag of Weir. */
      readonly to: string;
      readonly takesValue: boolean;
      readonly value?: (text: string) => string;
      readonly note?: string;
    }
  /** The variable of Weir that gets the value. */
  | { readonly variable: string; readonly takesValue: true }
  /** The flag is refused, for this reason. */
  | { readonly missing: 'different' | 'not yet'; readonly why: string; readonly takesValue: boolean }
  /** The flag has no effect here. */
  | { readonly dropped: string; readonly takesValue: boolean };

const missing = (status: 'different' | 'not yet', why: string, takesValue = true): FlagAlias => ({
  missing: status,
  why,
  takesValue,
});
const configFile = missing('different', 'settings are variables');
const tunnel = (takesValue: boolean): FlagAlias =>
  missing('different', 'a reverse proxy or a tunnel of your own', takesValue);
const workers = missing('different', 'workers share the PostgreSQL database; nothing is between them');
const dropped = (why: string, takesValue = false): FlagAlias => ({ dropped: why, takesValue });
const value = (to: string): FlagAlias => ({ to, takesValue: true });
const workingFolder = missing('different', 'the base configuration sets `working_dir` for DAGs without their own');
const earlierRuns = missing('different', '`history` lists runs', false);
const serverFlags = {
  '-s': value('--host'),
  '-p': value('--port'),
  '-d': value('--dags'),
  '--tunnel': tunnel(false),
  '-t': tunnel(false),
  '--tunnel-token': tunnel(true),
  '--tunnel-funnel': tunnel(false),
  '--tunnel-https': tunnel(false),
} as const;

type FlagAliases = Readonly<Record<string, FlagAlias>>;

/** Flags of every command. */
export const commonFlags: FlagAliases = {
  '--dagu-home': { variable: 'WEIR_HOME', takesValue: true },
  '--config': configFile,
  '-c': configFile,
  '--cpu-profile': missing('different', '`node --cpu-prof` of the command', false),
};

/** Flags of the commands that print nothing by default. */
export const quietFlags: FlagAliases = {
  '--quiet': dropped('only `start` and `exec` print what happens'),
  '-q': dropped('only `start` and `exec` print what happens'),
};

/** Flags of single commands that are spelled differently here; all others are passed on. */
export const commandFlags: Readonly<Record<string, FlagAliases>> = {
  server: serverFlags,
  'start-all': {
    ...serverFlags,
    '--coordinator.host': workers,
    '--coordinator.advertise': workers,
    '--coordinator.port': workers,
    '--peer.cert-file': workers,
    '--peer.key-file': workers,
    '--peer.client-ca-file': workers,
    '--peer.insecure': workers,
    '--peer.skip-tls-verify': workers,
  },
  scheduler: { '-d': value('--dags') },
  worker: {
    '--worker.labels': value('--labels'),
    '-l': value('--labels'),
    '--worker.max-active-runs': value('--concurrency'),
    '-m': value('--concurrency'),
    '--worker.id': missing('different', 'a worker is named by its machine and process'),
    '-w': missing('different', 'a worker is named by its machine and process'),
    '--worker.health-port': missing('different', 'the database tells which workers are alive'),
    '--worker.coordinators': workers,
    '--peer.cert-file': workers,
    '--peer.key-file': workers,
    '--peer.client-ca-file': workers,
    '--peer.insecure': workers,
    '--peer.skip-tls-verify': workers,
  },
  enqueue: { '-u': value('--queue'), '--tags': value('--labels'), '--default-working-dir': workingFolder },
  dequeue: {
    '--dag-run': missing('different', '`dequeue --run-id ID DAG` names the run and its DAG'),
    '-d': missing('different', '`dequeue --run-id ID DAG` names the run and its DAG'),
  },
  retry: { '--req': value('--run-id'), '--request-id': value('--run-id') },
  status: {
    '--req': value('--run-id'),
    '--request-id': value('--run-id'),
    '--sub-run-id': missing('different', '`watch` and the page of the run show child runs'),
    '-s': missing('different', '`watch` and the page of the run show child runs'),
  },
  stop: { '--request-id': value('--run-id') },
  start: { '--request-id': value('--run-id'), '--tags': value('--labels'), '--default-working-dir': workingFolder },
  dry: {
    '--name': missing('different', 'the name changes nothing of what a dry run shows'),
    '-N': missing('different', 'the name changes nothing of what a dry run shows'),
    '--default-working-dir': workingFolder,
  },
  history: {
    '-l': value('--limit'),
    '-f': { to: '--format', takesValue: true, note: 'no `csv`' },
    '--tags': value('--labels'),
  },
  ps: { '-f': value('--format') },
  ls: {
    '--next': dropped('the next start is always listed'),
    '-n': dropped('the next start is always listed'),
    '--last': earlierRuns,
    '-l': earlierRuns,
    '--history': earlierRuns,
    '-H': earlierRuns,
    '--sort-last': earlierRuns,
    '-t': earlierRuns,
    '--reverse': missing('different', 'DAGs are listed by name', false),
    '-r': missing('different', 'DAGs are listed by name', false),
  },
  rm: {
    '-H': { to: '--history', takesValue: false },
    '-t': value('--older-than'),
    '--force': dropped('nothing is asked'),
    '-f': dropped('nothing is asked'),
    '--definition': missing('different', 'DAG files are deleted in the interface, over HTTP or in their folder', false),
    '-d': missing('different', 'DAG files are deleted in the interface, over HTTP or in their folder', false),
  },
  profile: { '--value-stdin': { to: '--value-file=/dev/stdin', takesValue: false } },
  cleanup: {
    '--retention-days': { to: '--older-than', takesValue: true, value: (days) => `${days}d`, note: '`7` is `7d`' },
    '--yes': dropped('nothing is asked'),
    '-y': dropped('nothing is asked'),
  },
};

/** These commands have a quiet flag of their own, which stays. */
export const quietCommands: readonly string[] = ['start', 'exec'];

/** Commands with another name here, and the flags that their name implies. */
export const commandAliases: ReadonlyMap<string, readonly string[]> = new Map([['cleanup', ['rm', '--history']]]);
