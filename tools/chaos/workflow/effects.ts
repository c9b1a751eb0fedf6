import { readFile, writeFile } from 'node:fs/promises';

export interface StepEffects {
  /** Executions that began. */
  readonly begun: number;
  /** Different idempotency keys of those that were done: more than one is a double effect. */
  readonly keys: ReadonlySet<string>;
}

export interface EffectFile {
  readonly file: string;
  create(): Promise<void>;
  /** By run and step, such as `run-1 one`. */
  read(): Promise<ReadonlyMap<string, StepEffects>>;
}

/** The file outside of all machines that steps write to. */
export function openEffectFile(file: string): EffectFile {
  return {
    file,
    create: () => writeFile(file, '', { mode: 0o666 }),
    read: async () => {
      const found = new Map<string, { begun: number; keys: Set<string> }>();
      for (const line of (await readFile(file, 'utf8')).split('\n')) {
        const [kind, run, step, key = ''] = line.split(' ');
        if (run === undefined || step === undefined) continue;
        const effects = found.get(`${run} ${step}`) ?? { begun: 0, keys: new Set() };
        found.set(`${run} ${step}`, effects);
        if (kind === 'begun') effects.begun += 1;
        else effects.keys.add(key);
      }
      return found;
    },
  };
}
