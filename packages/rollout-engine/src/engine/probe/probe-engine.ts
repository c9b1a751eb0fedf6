import type { EngineDescription } from '../http/dialect';
import { asObject } from '@weir/foundation';
import { asList } from '../http/json-value';
import type { EngineInfo } from '../port/inference-engine';
import { compareTokenizers } from '../port/tokenizer-parity';
import { measureLogprobs } from './measure-logprobs';
import type { ProbeDeps } from './probe-deps';
import { tryGeneration, type Trial } from './try-generation';

const assumedContextLength = 4_096;

/**
 * Finds out which features the engine supports with a few short generations: two answers, whole and streamed, and a few
 * more.
 */
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
  if (dialect.canGrammar && !grammar) remarks.push('A grammar was rejected.');
  const tokenizerParity = await compareTokenizers(deps.encode, (text) => encodeAtEngine(deps, text, description.model));
  if (tokenizerParity !== 'equal') remarks.push(parityRemarks[tokenizerParity]);
  remarks.push(...(await recordingRemarks(deps)));
  const versions = weakestVersions(whole, streamed);
  if (versions !== 'spans') remarks.push(versionRemarks[versions]);
  if (description.contextLength === undefined) {
    remarks.push(`The engine does not report the length of its context; ${assumedContextLength} is assumed.`);
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
  unknown: 'The tokenizers could not be compared.',
} as const;

const versionRemarks = {
  answer:
    'One version per answer: a change within an answer cannot be located, and its tokens are not used for training.',
  none: 'The engine reports no versions; those set at this service apply.',
} as const;

function trialRemarks(kind: string, trial: Trial): readonly string[] {
  if (!trial.isAccepted) return [`A ${kind} answer failed: ${trial.failure}.`];
  return trial.doubts.map((doubt) => `A ${kind} answer was doubtful: ${doubt}.`);
}

function logprobRemarks(mode: EngineInfo['logprobs']): readonly string[] {
  if (mode === 'raw') {
    return [
      'Log-probabilities are those before temperature and cut-offs; answers sampled with these are not used for training.',
    ];
  }
  return mode === 'unknown' ? ['The distribution of the log-probabilities could not be determined.'] : [];
}

function weakestVersions(whole: Trial, streamed: Trial): EngineInfo['versions'] {
  if (whole.versions === 'none' || streamed.versions === 'none') return 'none';
  return whole.versions === 'spans' && streamed.versions === 'spans' ? 'spans' : 'answer';
}

/** `undefined` where the server has no tokenizer endpoint. */
async function encodeAtEngine({ dialect, connection, signal }: ProbeDeps, text: string, model: string | undefined) {
  const { path, body } = dialect.tokenizeCall(text, model);
  const answer = await connection.control({ method: 'POST', path, body }, signal);
  return answer.status === 200 ? asList(asObject(answer.json)?.tokens) : undefined;
}

/** Calls would fail, or not be trained on, where the engine does not give what is to be recorded. */
async function recordingRemarks(deps: ProbeDeps): Promise<readonly string[]> {
  const { recording, expertShape: experts } = deps;
  const remarks: string[] = [];
  if ((recording.topLogprobs ?? 0) > 0) remarks.push(...(await topRemarks(deps, recording.topLogprobs ?? 0)));
  if (experts !== undefined) {
    const trial = await tryGeneration(deps, { isStreaming: false, experts });
    if (!trial.hasExperts) {
      remarks.push(
        `The engine does not report ${experts.perToken} experts of ${experts.layers} layers for each token. SGLang and vLLM need --enable-return-routed-experts.`,
      );
    }
  }
  if (recording.samplingMask === true) {
    const trial = await tryGeneration(deps, { isStreaming: false, samplingMask: true, sampling: { topK: 4 } });
    if (!trial.isAccepted || !trial.hasMasks) {
      remarks.push('The engine does not report sampling masks. vLLM needs --return-sampling-mask.');
    }
  }
  return remarks;
}

async function topRemarks(deps: ProbeDeps, topLogprobs: number): Promise<readonly string[]> {
  const trial = await tryGeneration(deps, { isStreaming: false, topLogprobs });
  if (!trial.isAccepted) {
    return [`The engine refuses ${topLogprobs} of the likeliest tokens: ${trial.failure}. vLLM allows --max-logprobs.`];
  }
  const isComplete = trial.top.length === trial.count && trial.top.every((choices) => choices.length > 0);
  return isComplete ? [] : ['The engine does not report the likeliest tokens that are to be recorded.'];
}

async function canGrammar(deps: ProbeDeps): Promise<boolean> {
  const trial = await tryGeneration(deps, { isStreaming: false, grammar: 'root ::= "a" | "b"\n' });
  return trial.isAccepted;
}
