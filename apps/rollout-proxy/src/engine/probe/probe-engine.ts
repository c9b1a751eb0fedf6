import type { Dialect, EngineDescription } from '../dialects/dialect';
import type { AnswerLedger } from '../http/answer-ledger';
import type { EngineConnection } from '../http/engine-connection';
import type { EngineInfo, GenerationEvent, GenerationRequest } from '../inference-engine';
import { compareTokenizers } from './compare-tokenizers';
import { measureLogprobs } from './measure-logprobs';
import { tryGeneration, type Trial } from './try-generation';

/** Ids of a text, names of control tokens read as those tokens. */
export type EncodeText = (text: string) => Promise<Int32Array>;

export type Generate = (
  request: GenerationRequest,
  signal: AbortSignal,
  observe: (ledger: AnswerLedger) => void,
) => AsyncIterable<GenerationEvent>;

export interface ProbeDeps {
  readonly dialect: Dialect;
  readonly connection: EngineConnection;
  readonly generate: Generate;
  readonly encode: EncodeText | undefined;
  readonly signal: AbortSignal;
}

const assumedContextLength = 4_096;

/** Asks the engine what it can do by letting it do it: two short answers, whole and streamed, and a few more. */
export async function probeEngine(deps: ProbeDeps, description: EngineDescription): Promise<EngineInfo> {
  const { dialect, signal } = deps;
  const remarks = [...dialect.remarks];
  const whole = await tryGeneration(deps, { isStreaming: false });
  const streamed = dialect.canStream ? await tryGeneration(deps, { isStreaming: true }) : whole;
  remarks.push(...trialRemarks('whole', whole), ...(dialect.canStream ? trialRemarks('streamed', streamed) : []));
  const returnsIds = whole.count > 0 && streamed.count > 0;
  const logprobs = returnsIds ? await measureLogprobs(deps) : 'none';
  remarks.push(...logprobRemarks(logprobs));
  const grammar = dialect.canGrammar && returnsIds && (await canGrammar(deps));
  if (dialect.canGrammar && !grammar) remarks.push('A grammar was refused.');
  const tokenizerParity = await compareTokenizers(deps, description.model);
  if (tokenizerParity !== 'equal') remarks.push(parityRemarks[tokenizerParity]);
  const versions = weakestVersions(whole, streamed);
  if (versions !== 'spans') remarks.push(versionRemarks[versions]);
  if (description.contextLength === undefined) {
    remarks.push(`The engine does not say the length of its context; ${assumedContextLength} is assumed.`);
  }
  signal.throwIfAborted();
  const acceptsIds = whole.isAccepted && !whole.doubts.includes('prompt_ids_differ');
  const isExact =
    acceptsIds &&
    returnsIds &&
    whole.isClean &&
    streamed.isClean &&
    logprobs !== 'none' &&
    tokenizerParity !== 'different';
  return {
    engine: dialect.name,
    ...(description.version === undefined ? {} : { version: description.version }),
    ...(description.model === undefined ? {} : { model: description.model }),
    contextLength: description.contextLength ?? assumedContextLength,
    acceptsIds,
    returnsIds,
    logprobs,
    versions,
    canAbort: true,
    grammar,
    tokenizerParity,
    mode: isExact ? 'exact' : 'capture-only',
    remarks,
  };
}

const parityRemarks = {
  different: 'The tokenizer of the engine gives other ids than the tokenizer of this service.',
  unknown: 'Whether the tokenizers are equal could not be asked.',
} as const;

const versionRemarks = {
  answer: 'One version an answer: a change within one cannot be placed, and its tokens are not trained on.',
  none: 'The engine says no versions; those set at this service count.',
} as const;

function trialRemarks(kind: string, trial: Trial): readonly string[] {
  if (!trial.isAccepted) return [`A ${kind} answer failed: ${trial.failure}.`];
  return trial.doubts.map((doubt) => `A ${kind} answer cannot be trusted: ${doubt}.`);
}

function logprobRemarks(mode: EngineInfo['logprobs']): readonly string[] {
  if (mode === 'raw') {
    return [
      'Log-probabilities are those before temperature and cut-offs; answers sampled with such are not trained on.',
    ];
  }
  return mode === 'unknown' ? ['What the log-probabilities are of could not be measured.'] : [];
}

function weakestVersions(whole: Trial, streamed: Trial): EngineInfo['versions'] {
  if (whole.versions === 'none' || streamed.versions === 'none') return 'none';
  return whole.versions === 'spans' && streamed.versions === 'spans' ? 'spans' : 'answer';
}

async function canGrammar(deps: ProbeDeps): Promise<boolean> {
  const trial = await tryGeneration(deps, { isStreaming: false, grammar: 'root ::= "a" | "b"\n' });
  return trial.isAccepted;
}
