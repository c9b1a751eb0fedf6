import { rm } from 'node:fs/promises';
import type { DeclaredOutput, OutputSource, Step } from '@weir/workflow-spec';
import type { ConfinedPath } from '../artifacts/confined-path';
import { isSuccessfulNode } from '../statuses';
import type { StepOutcome } from '../scope/step-ports';
import type { OutputAnswer, OutputRequest } from './evaluate-outputs';
import { copyLog, readText, sizeOf, type ReadText } from './output-files';
import { textProblem } from './output-value';
import { parseDeclaredOutputs } from './parse-declared-outputs';
import { noOutputs, outputBytes, publishesOutputs, type NamedOutput, type StepOutputs } from './step-outputs';

/** Where an attempt leaves what its outputs are taken from. Paths are absolute. */
export interface OutputPlaces {
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** Where the step writes the outputs that it declares. */
  readonly outputFile: string;
  /** The path of a file that the step names, its references replaced. */
  readonly resolvePath: (text: string) => string;
  /** The path of an artifact that the step names, its references replaced; the folders above it are there. */
  readonly placeArtifact: (text: string) => Promise<ConfinedPath>;
  /** Of all outputs of the step, and of each file they are taken from. */
  readonly maxBytes: number;
  /** Works the outputs out; rejects only when it cannot be done at all. */
  readonly evaluate: (request: OutputRequest, signal: AbortSignal) => Promise<OutputAnswer>;
}

/** An attempt whose outputs are waited for. */
export interface OutputCollection {
  /** The outcome with the outputs of the attempt; failed when it was good and they are not. */
  finish(outcome: StepOutcome, signal: AbortSignal): Promise<StepOutcome>;
}

/** To be called before each attempt: what earlier ones left is not taken for its own. */
export async function collectOutputs(step: Step, places: OutputPlaces): Promise<OutputCollection> {
  if (step.outputs !== undefined) await rm(places.outputFile, { force: true, recursive: true });
  const stdoutStart = await sizeOf(places.stdoutFile);
  const stderrStart = await sizeOf(places.stderrFile);
  const attempt = { step, places, stdoutStart, stderrStart };
  return {
    finish: async (outcome, signal) => {
      if (isStopped(signal)) return stopped(step, outcome);
      const copyProblem = await copyStreams(attempt, signal);
      const isGood = isSuccessfulNode(outcome.status);
      if (isGood && copyProblem !== undefined) return failed(step, outcome, copyProblem);
      if (!publishesOutputs(step)) return outcome;
      const taken = await (isGood ? takeAll(attempt, signal) : takeVariable(attempt));
      if (isStopped(signal)) return stopped(step, outcome);
      if (!isGood) return 'problem' in taken ? withoutOutputs(step, outcome) : { ...outcome, outputs: taken };
      if ('problem' in taken) return failed(step, outcome, taken.problem);
      const isTooLarge = outputBytes(taken) > places.maxBytes;
      if (isTooLarge) return failed(step, outcome, `The outputs are larger than ${places.maxBytes} bytes.`);
      return { ...outcome, outputs: taken };
    },
  };
}

// A function, because the compiler takes what was false once to stay so.
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

interface Attempt {
  readonly step: Step;
  readonly places: OutputPlaces;
  readonly stdoutStart: number;
  readonly stderrStart: number;
}

interface Problem {
  readonly problem: string;
}

function failed(step: Step, outcome: StepOutcome, error: string): StepOutcome {
  return { ...withoutOutputs(step, outcome), status: 'failed', error };
}

/** A step that counted as good without its outputs would be passed over by whoever goes on with the run. */
function stopped(step: Step, outcome: StepOutcome): StepOutcome {
  const ended = withoutOutputs(step, outcome);
  return isSuccessfulNode(outcome.status) ? { ...ended, status: 'aborted', error: 'run stopped' } : ended;
}

function withoutOutputs(step: Step, outcome: StepOutcome): StepOutcome {
  return publishesOutputs(step) ? { ...outcome, outputs: noOutputs } : outcome;
}

async function copyStreams({ step, places, ...starts }: Attempt, signal: AbortSignal): Promise<string | undefined> {
  const copies = [
    ['stdout', step.stdout, places.stdoutFile, starts.stdoutStart],
    ['stderr', step.stderr, places.stderrFile, starts.stderrStart],
  ] as const;
  const written = new Set<string>();
  for (const [stream, copy, log, fromByte] of copies) {
    if (copy === undefined) continue;
    const isArtifact = copy.kind === 'artifact';
    const place = isArtifact ? await places.placeArtifact(copy.path) : { path: places.resolvePath(copy.path) };
    if ('problem' in place) return `The file of ${stream} ${place.problem}.`;
    const target = place.path;
    // One file for both streams holds both.
    const isAdded = written.has(target);
    const problem = await copyLog(log, target, { fromByte, isAdded, isLinkFollowed: !isArtifact, signal });
    written.add(target);
    if (problem !== undefined) return `The file of ${stream} ${problem}.`;
  }
  return undefined;
}

async function takeAll(attempt: Attempt, signal: AbortSignal): Promise<StepOutputs | Problem> {
  const declared = await takeDeclared(attempt);
  if ('problem' in declared) return declared;
  const fields = await takeFields(attempt, signal);
  if ('problem' in fields) return fields;
  const variable = await takeVariable(attempt);
  return 'problem' in variable ? variable : { ...variable, fields: fields.fields, declared: declared.outputs };
}

/** Also of an attempt that failed: what it said is of use to a step that goes on all the same. */
async function takeVariable({ step, places, stdoutStart }: Attempt): Promise<StepOutputs | Problem> {
  if (step.output?.kind !== 'variable') return noOutputs;
  const read = await readText(places.stdoutFile, { fromByte: stdoutStart, maxBytes: places.maxBytes });
  if ('problem' in read) return sentence('standard output', read.problem);
  const value = read.text.trim();
  const problem = textProblem(value);
  return problem === undefined
    ? { ...noOutputs, variable: { name: step.output.name, value } }
    : sentence('standard output', problem);
}

async function takeDeclared({ step, places }: Attempt) {
  const none: { readonly outputs: readonly NamedOutput[] } = { outputs: [] };
  return step.outputs === undefined ? none : readDeclared(places, step.outputs);
}

async function readDeclared({ outputFile, maxBytes }: OutputPlaces, declared: readonly DeclaredOutput[]) {
  const isWritten = (await sizeOf(outputFile)) > 0;
  const read = isWritten ? await readText(outputFile, { fromByte: 0, maxBytes }) : { text: '' };
  if ('problem' in read) return sentence('file of the outputs', read.problem);
  const parsed = parseDeclaredOutputs(read.text, declared);
  return 'problem' in parsed ? { problem: `${capital(parsed.problem)}.` } : parsed;
}

async function takeFields(attempt: Attempt, signal: AbortSignal): Promise<OutputAnswer> {
  const { step, places } = attempt;
  const fields = step.output?.kind === 'fields' ? step.output.fields : [];
  const schema = step.outputSchema;
  if (fields.length === 0 && schema === undefined) return { fields: [] };
  const sources = fields.map(({ source }) => source);
  const texts = await readSources(attempt, sources);
  if ('problem' in texts) return texts;
  const request = { fields, maxBytes: places.maxBytes, ...texts, ...(schema === undefined ? {} : { schema }) };
  const answer = await places.evaluate(request, signal);
  return 'problem' in answer ? { problem: `${capital(answer.problem)}.` } : answer;
}

type Texts = Pick<OutputRequest, 'stdout' | 'stderr' | 'files'>;

/** All that the sources need, each read once. */
async function readSources(attempt: Attempt, sources: readonly OutputSource[]): Promise<Texts | Problem> {
  const { step, places, stdoutStart, stderrStart } = attempt;
  const { maxBytes } = places;
  const streams: { stdout?: string; stderr?: string } = {};
  const isRead = (stream: string) => sources.some(({ kind }) => kind === stream);
  if (step.outputSchema !== undefined || isRead('stdout')) {
    const read = await readText(places.stdoutFile, { fromByte: stdoutStart, maxBytes });
    if ('problem' in read) return sentence('standard output', read.problem);
    streams.stdout = read.text;
  }
  if (isRead('stderr')) {
    const read = await readText(places.stderrFile, { fromByte: stderrStart, maxBytes });
    if ('problem' in read) return sentence('standard error', read.problem);
    streams.stderr = read.text;
  }
  const files: (readonly [string, string])[] = [];
  let left = maxBytes;
  for (const named of new Set(sources.flatMap((source) => (source.kind === 'file' ? (source.path ?? []) : [])))) {
    const read: ReadText = await readText(places.resolvePath(named), { fromByte: 0, maxBytes: left });
    if ('problem' in read) return sentence('file of an output', read.problem);
    left -= Buffer.byteLength(read.text);
    files.push([named, read.text]);
  }
  return { ...streams, files };
}

function sentence(what: string, problem: string): Problem {
  return { problem: `The ${what} ${problem}.` };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
