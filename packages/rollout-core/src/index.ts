export {
  messageRoles,
  type Message,
  type MessageRole,
  type ToolCall,
  type ToolDefinition,
} from './conversation/message';
export { collectOutput } from './output/collect-output';
export { createOutputParser, type OutputParserOptions } from './output/output-parser';
export {
  chooseReasoningParser,
  chooseToolParser,
  knownEndTokens,
  modelFamilies,
  needsControlText,
  plainMarkers,
  reasoningParserNames,
  parseReasoningParserName,
  toolParserNames,
  parseToolParserName,
  type FamilyName,
  type ReasoningParserName,
  type ToolParserName,
} from './families/registry';
export { createStopMatcher, type StopMatch, type StopMatcher } from './output/stop-matcher';
export { createJsonObjectGrammar, createJsonSchemaGrammar } from './output/grammar/schema-grammar';
export { createToolCallGrammar, type ToolCallGrammarOptions } from './families/tool-call-grammar';
export type { OutputEvent, OutputParser } from './output/output-event';
export type { SampledTokens } from './sampled-tokens';
export {
  exactMatching,
  lenientMatching,
  matchingPresets,
  matchingWithout,
  type Matching,
  type MatchingLevel,
  type MatchingPreset,
  type MatchingPresetDescription,
} from './conversation/matching-presets';
export {
  firstPosition,
  messageKey,
  positionAfter,
  type MessagePart,
  type MessagePosition,
} from './conversation/message-key';
export type { Continuity, Interaction, InteractionDraft, InteractionUsage } from './cache/interaction';
export {
  createInteractionCache,
  type Attachment,
  type InteractionCache,
  type InteractionCacheOptions,
} from './cache/interaction-cache';
export type { Mismatch, MismatchReport } from './cache/mismatch-report';
export { buildSampledMask, collectPathIds } from './cache/path-tokens';
export type { PromptContext } from './cache/prompt-context';
export { type GivenReward, type RewardLedger } from './rewards/reward-ledger';
export {
  discountRewards,
  discountRules,
  type DiscountedReward,
  type DiscountOptions,
  type DiscountRule,
} from './rewards/discount-rewards';
export { exportStyles, type ExportOptions, type ExportStyle } from './export/export-options';
export { type ExportReport, type QuarantinedInteraction } from './export/export-report';
export { exportTrajectories, type TrainingEntry, type TrajectoryExport } from './export/export-trajectories';
export { findRetryOrphans, type RetryOrphans } from './export/retry-orphans';
export {
  readTrainingBatch,
  trainingBatchFormat,
  trainingBatchVersion,
  writeTrainingBatch,
  type BatchRow,
  type TrainingBatchLimits,
} from './export/training-batch';
export { appendedText, type AppendedText, type AppendedTextInput } from './continuity/appended-text';
export { compareWithRender, type DriftInput, type DriftKind, type DriftReport } from './continuity/compare-with-render';
export { joinAnswer, type Join, type JoinInput } from './continuity/join-answer';
export { detectFamily, type FamilyEvidence, type ModelFamily } from './families/detect-family';
export type { FamilyDefinition } from './families/model-family';
export {
  defaultReasoningRetention,
  keepsReasoning,
  reasoningRetentions,
  type ReasoningRetention,
} from './continuity/reasoning-retention';
export {
  placeholderArgument,
  createPlaceholderExchange,
  type PlaceholderExchange,
  type PlaceholderInput,
} from './continuity/placeholder-exchange';
