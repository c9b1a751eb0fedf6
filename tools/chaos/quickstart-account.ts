import { existsSync, readFileSync } from 'node:fs';

/** The account of all answers that agents got. */
export interface Account {
  readonly answers: number;
  readonly trained: number;
  /** Interactions that are in more than one step. */
  readonly trainedTwice: number;
  /** Trained with another number of tokens than the agent got, or unknown to it. */
  readonly different: number;
  /** Finished episodes that were not trained; the trainer says why. */
  readonly noted: number;
  /** Finished episodes that were neither trained nor noted. */
  readonly lost: number;
}

interface Step {
  readonly tokens: Readonly<Record<string, number>>;
}

/** A line in a file of agents is an answer or a finished episode; in a file of notes it names interactions. */
interface Line {
  readonly answer?: string;
  readonly tokens?: number;
  readonly episode?: readonly string[];
  readonly interactions?: readonly string[];
}

/** Compares what the agents wrote down with the steps of the trainer and its notes. */
export function balance(agentFile: string, stepsFile: string, notesFile: string): Account {
  const written = readLines(agentFile);
  const answers = new Map(written.flatMap(({ answer, tokens }) => (answer === undefined ? [] : [[answer, tokens]])));
  const steps = JSON.parse(readFileSync(stepsFile, 'utf8')) as readonly Step[];
  const rows = steps.flatMap(({ tokens }) => Object.entries(tokens));
  const trained = new Set(rows.map(([id]) => id));
  const noted = new Set(readLines(notesFile).flatMap(({ interactions = [] }) => interactions));
  const untrained = written.flatMap(({ episode = [] }) => episode).filter((id) => !trained.has(id));
  return {
    answers: answers.size,
    trained: trained.size,
    trainedTwice: rows.length - trained.size,
    different: rows.filter(([id, tokens]) => answers.get(id) !== tokens).length,
    noted: untrained.filter((id) => noted.has(id)).length,
    lost: untrained.filter((id) => !noted.has(id)).length,
  };
}

function readLines(file: string): readonly Line[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}
