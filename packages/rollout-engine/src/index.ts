export { createCompletionRegistry } from './completions/completion-registry';
export { type CompletionSession, type OpenCompletion } from './completions/completion-session';
export {
  type CompletionEvent,
  type CompletionIdentity,
  type CompletionRequest,
  type CompletionResult,
  type Protocol,
  type RunCompletion,
  type TokenLogprob,
  type Usage,
} from './completions/completion';
export {
  createCompletionModel,
  type CompletionModel,
  type CompletionModelOptions,
  type ModelFormats,
} from './completions/create-completion-model';
export { parseRecording } from './completions/parse-recording';
export { maxRecordedTop, type ExpertShape, type Recording } from './engine/port/recording';
export {
  assertEmbeddedLibrary,
  createEmbeddedEngine,
  createEmbeddedHost,
  createEmbeddedTokenizer,
  writeTinyModel,
  type EmbeddedEngine,
  type EmbeddedEngineOptions,
  type EmbeddedHost,
  type EmbeddedHostOptions,
  type RescoreRequest,
  type TinyModel,
} from './engine/embedded';
export { createEngineGroup } from './engine/group/engine-group';
export { type EngineAdapters } from './engine/group/replica-adapters';
export { engineNameOf } from './engine/http/server-adapters';
export { createGenerationControl, type PauseMode } from './engine/control/generation-control';
export { createHttpEngine } from './engine/dialects/http-engine';
export {
  type AdapterVersion,
  type EngineInfo,
  type GenerationEnd,
  type GenerationEvent,
  type GenerationRequest,
  type InferenceEngine,
  type SamplingParameters,
  type TokenPiece,
} from './engine/port/inference-engine';
export { type ScoreRequest, type ScorerInfo, type TokenScorer } from './engine/port/token-scorer';
export { createHttpScorer } from './engine/scoring/http-scorer';
export { scoringKinds, type ScoringKind } from './engine/scoring/scoring-dialects';
export { createPromptBuilder } from './prompt/create-prompt-builder';
export { type PromptBuilder } from './prompt/prompt-builder';
export { chatCompletions, toChatCompletion, toChatMessage } from './protocols/chat-completions';
export { completions } from './protocols/completions';
export { parseExactJson } from './protocols/exact-json';
export { generateContent, streamGenerateContent } from './protocols/generate-content';
export { generateContentCount } from './protocols/generate-content/count-tokens';
export { messages } from './protocols/messages';
export { type CountOperation, type PromptParts } from './protocols/count-operation';
export { messagesCount } from './protocols/messages/count-tokens';
export {
  type AnswerBuilder,
  type AnswerStream,
  type CallAddress,
  type Conversations,
  type ModelProtocol,
  type ReadCall,
} from './protocols/model-protocol';
export { responses } from './protocols/responses';
export { responsesCount } from './protocols/responses/count-tokens';
export { createHuggingFaceTokenizer } from './tokenizer/hugging-face-tokenizer';
export { loadTokenizerFolder } from './tokenizer/tokenizer-folder';
export { type TokenDecoder, type Tokenizer } from './tokenizer/tokenizer';
