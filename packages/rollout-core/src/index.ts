export { type Message, type ToolCall, type ToolDefinition } from './conversation/message';
export { mergeContinuations } from './conversation/merge-continuations';
export { collectOutput } from './output/collect-output';
export { createOutputParser } from './output/output-parser';
export {
  chooseReasoningParser,
  chooseToolParser,
  findEndTokens,
  findReasoningFormat,
  findToolFormat,
  modelFamilies,
  parserMarkers,
  reasoningParserNames,
  parseReasoningParserName,
  toolParserNames,
  parseToolParserName,
  type ReasoningParserName,
  type ToolParserName,
} from './families/registry';
export { createStopMatcher, type StopMatcher } from './output/stop-matcher';
export { createJsonObjectGrammar, createJsonSchemaGrammar } from './grammar/schema-grammar';
export { grammarAfterThought } from './grammar/grammar-after-thought';
export { createToolCallGrammar } from './families/tool-call-grammar';
export type { OutputEvent, OutputParser } from './output/output-event';
export { noId, noLogprob } from '@weir/tensor-dict';
export type { RoutedExperts, SampledTokens, SamplingMask, TopTokens } from './sampled-tokens';
export { lenientMatching, matchingPresets, type Matching } from './conversation/matching-presets';
export type { Interaction, InteractionDraft } from './cache/interaction';
export { createInteractionCache, type InteractionCache } from './cache/interaction-cache';
export { describePath, tokenSources, type PathDetail } from './cache/describe-path';
export { describeRecorded, entropiesOf, type RecordedDetail } from './cache/describe-recorded';
export { buildSampledMask, collectPathIds, pathSegments, sampledFrom, type PathSegment } from './cache/path-tokens';
export type { ScoreBook, TokenScores } from './cache/token-scores';
export { checkLossWeight, type WeightRange } from './cache/loss-weights';
export type { Provenance } from './cache/provenance';
export type { PromptContext } from './cache/prompt-context';
export type { ExportOptions } from './export/export-options';
export type { ExportReport } from './export/export-report';
export { trainedSpans } from './export/export-plan';
export { planScoring, type ScoringTask } from './export/plan-scoring';
export { planExport, type ExportPlan } from './export/plan-export';
export { findRetryOrphans } from './export/retry-orphans';
export { discountRewards, type DiscountRule } from './rewards/discount-rewards';
export { exportTrajectories, type TrainingEntry, type TrajectoryExport } from './export/export-trajectories';
export { streamTrainingBatch } from './export/stream-training-batch';
export { readTrainingBatch, writeTrainingBatch } from './export/training-batch';
export { appendedText } from './continuity/appended-text';
export { compareWithRender, type DriftKind } from './continuity/compare-with-render';
export { joinAnswer } from './continuity/join-answer';
export { detectFamily, type ModelFamily } from './families/detect-family';
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
} from './continuity/placeholder-exchange';
