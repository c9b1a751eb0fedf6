import { rm } from 'node:fs/promises';
import type { DeclaredOutput, OutputSource, Step } from '@weir/workflow-spec';
import type { ConfinedPath } from '../../host/artifacts/confined-path';
import { isStopped } from '../../host/concurrency/is-stopped';
import { nodeStatus } from '../../model/statuses/node-status';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { OutputResult, OutputRequest } from '../../values/outputs/evaluate-outputs';
import { copyLog, readStream, readText, readSize, type ReadText } from './output-files';
import { textProblem } from '../../values/outputs/output-value';
import { parseDeclaredOutputs } from '../../values/outputs/parse-declared-outputs';
import {
  noOutputs,
  outputBytes,
  publishesOutputs,
  type NamedOutput,
  type StepOutputs,
} from '../../model/run-model/step-outputs';

/** The files of an attempt from which its outputs are read. Paths are absolute. */
export interface OutputContext {
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** The file to which the step writes its declared outputs. */
  readonly outputFile: string;
  /** Resolves the path of a file that the step names. */
  readonly resolvePath: (text: string) => string;
  /** Resolves the path of an artifact that the step names, and creates its parent folders. */
  readonly resolveArtifact: (text: string) => Promise<ConfinedPath>;
  /** Replaces the references of a source: in a literal value, in a jq expression. */
  readonly resolveSource: (source: OutputSource) => OutputSource;
  /** Limit of all outputs of the step together, and of each file they are read from. */
  readonly maxBytes: number;
  /** Evaluates the outputs; rejects only when that is impossible. */
  readonly evaluate: (request: OutputRequest, signal: AbortSignal) => Promise<OutputResult>;
}

export interface OutputCollection {
  /** Adds the outputs of the attempt to its outcome. A successful outcome fails when they cannot be read. */
  finish(outcome: StepOutcome, signal: AbortSignal): Promise<StepOutcome>;
}

/** To be called before each attempt, so that output of earlier attempts is ignored. */
export async function collectOutputs(step: Step, context: OutputContext): Promise<OutputCollection> {
  if (step.outputs !== undefined) await rm(context.outputFile, { force: true, recursive: true });
  const stdoutStart = await readSize(context.stdoutFile);
  const stderrStart = await readSize(context.stderrFile);
  const attempt = { step, context: context, stdoutStart, stderrStart };
  return {
    finish: async (outcome, signal) => {
      if (isStopped(signal)) return stopped(step, outcome);
      const copyProblem = await copyStreams(attempt, signal);
      const isGood = nodeStatus.isSuccessful(outcome.status);
      if (isGood && copyProblem !== undefined) return failed(step, outcome, copyProblem);
      if (!publishesOutputs(step)) return outcome;
      const outputs = await (isGood ? readAll(attempt, signal) : readVariable(attempt));
      if (isStopped(signal)) return stopped(step, outcome);
      if (!isGood) return 'problem' in outputs ? withoutOutputs(step, outcome) : { ...outcome, outputs: outputs };
      if ('problem' in outputs) return failed(step, outcome, outputs.problem);
      const isTooLarge = outputBytes(outputs) > context.maxBytes;
      if (isTooLarge) return failed(step, outcome, `The outputs are larger than ${context.maxBytes} bytes.`);
      return { ...outcome, outputs: outputs };
    },
  };
}

interface Attempt {
  readonly step: Step;
  readonly context: OutputContext;
  readonly stdoutStart: number;
  readonly stderrStart: number;
}

interface Problem {
  readonly problem: string;
}

function failed(step: Step, outcome: StepOutcome, error: string): StepOutcome {
  return { ...withoutOutputs(step, outcome), status: 'failed', error };
}

/** A successful step without its outputs would be skipped when the run is resumed, so it is aborted. */
function stopped(step: Step, outcome: StepOutcome): StepOutcome {
  const ended = withoutOutputs(step, outcome);
  return nodeStatus.isSuccessful(outcome.status) ? { ...ended, status: 'aborted', error: 'run stopped' } : ended;
}

function withoutOutputs(step: Step, outcome: StepOutcome): StepOutcome {
  return publishesOutputs(step) ? { ...outcome, outputs: noOutputs } : outcome;
}

async function copyStreams({ step, context, ...starts }: Attempt, signal: AbortSignal): Promise<string | undefined> {
  const copies = [
    ['stdout', step.stdout, context.stdoutFile, starts.stdoutStart],
    ['stderr', step.stderr, context.stderrFile, starts.stderrStart],
  ] as const;
  const written = new Set<string>();
  for (const [stream, copy, log, fromByte] of copies) {
    if (copy === undefined) continue;
    const isArtifact = copy.kind === 'artifact';
    const resolved = isArtifact ? await context.resolveArtifact(copy.path) : { path: context.resolvePath(copy.path) };
    if ('problem' in resolved) return `The file of ${stream} ${resolved.problem}.`;
    const target = resolved.path;
    // A common file for both streams gets both.
    const isAdded = written.has(target);
    const problem = await copyLog(log, target, { fromByte, isAdded, isLinkFollowed: !isArtifact, signal });
    written.add(target);
    if (problem !== undefined) return `The file of ${stream} ${problem}.`;
  }
  return undefined;
}

async function readAll(attempt: Attempt, signal: AbortSignal): Promise<StepOutputs | Problem> {
  const declared = await readDeclaredOutputs(attempt);
  if ('problem' in declared) return declared;
  const fields = await evaluateFields(attempt, signal);
  if ('problem' in fields) return fields;
  const variable = await readVariable(attempt);
  return 'problem' in variable ? variable : { ...variable, fields: fields.fields, declared: declared.outputs };
}

/** Also for a failed attempt: with `continue_on`, later steps may use its output. */
async function readVariable({ step, context, stdoutStart }: Attempt): Promise<StepOutputs | Problem> {
  if (step.output?.kind !== 'variable') return noOutputs;
  const read = await readStream(context.stdoutFile, { fromByte: stdoutStart, maxBytes: context.maxBytes });
  if ('problem' in read) return sentence('standard output', read.problem);
  const value = read.text.trim();
  const problem = textProblem(value);
  return problem === undefined
    ? { ...noOutputs, variable: { name: step.output.name, value } }
    : sentence('standard output', problem);
}

async function readDeclaredOutputs({ step, context }: Attempt) {
  const none: { readonly outputs: readonly NamedOutput[] } = { outputs: [] };
  return step.outputs === undefined ? none : readDeclared(context, step.outputs);
}

async function readDeclared({ outputFile, maxBytes }: OutputContext, declared: readonly DeclaredOutput[]) {
  const isWritten = (await readSize(outputFile)) > 0;
  const read = isWritten ? await readText(outputFile, { fromByte: 0, maxBytes }) : { text: '' };
  if ('problem' in read) return sentence('file of the outputs', read.problem);
  const parsed = parseDeclaredOutputs(read.text, declared);
  return 'problem' in parsed ? { problem: `${capital(parsed.problem)}.` } : parsed;
}

async function evaluateFields(attempt: Attempt, signal: AbortSignal): Promise<OutputResult> {
  const { step, context } = attempt;
  const named = step.output?.kind === 'fields' ? step.output.fields : [];
  const schema = step.outputSchema;
  if (named.length === 0 && schema === undefined) return { fields: [] };
  const fields = named.map(({ name, source }) => ({ name, source: context.resolveSource(source) }));
  const sources = fields.map(({ source }) => source);
  const texts = await readSources(attempt, sources);
  if ('problem' in texts) return texts;
  const request = { fields, maxBytes: context.maxBytes, ...texts, ...(schema === undefined ? {} : { schema }) };
  const answer = await context.evaluate(request, signal);
  return 'problem' in answer ? { problem: `${capital(answer.problem)}.` } : answer;
}

type Texts = Pick<OutputRequest, 'stdout' | 'stderr' | 'files'>;

/** Reads everything that the sources need, each file once. */
async function readSources(attempt: Attempt, sources: readonly OutputSource[]): Promise<Texts | Problem> {
  const { step, context, stdoutStart, stderrStart } = attempt;
  const { maxBytes } = context;
  const streams: { stdout?: string; stderr?: string } = {};
  const isRead = (stream: string) => sources.some(({ kind }) => kind === stream);
  if (step.outputSchema !== undefined || isRead('stdout')) {
    const read = await readStream(context.stdoutFile, { fromByte: stdoutStart, maxBytes });
    if ('problem' in read) return sentence('standard output', read.problem);
    streams.stdout = read.text;
  }
  if (isRead('stderr')) {
    const read = await readStream(context.stderrFile, { fromByte: stderrStart, maxBytes });
    if ('problem' in read) return sentence('standard error', read.problem);
    streams.stderr = read.text;
  }
  const files: (readonly [string, string])[] = [];
  let left = maxBytes;
  for (const named of new Set(sources.flatMap((source) => (source.kind === 'file' ? (source.path ?? []) : [])))) {
    const read: ReadText = await readText(context.resolvePath(named), { fromByte: 0, maxBytes: left });
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
