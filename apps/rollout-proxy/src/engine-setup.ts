import path from 'node:path';
import {
  chatCompletions,
  completions,
  createCompletionModel,
  createGenerationControl,
  createHttpScorer,
  generateContent,
  generateContentCount,
  messages,
  messagesCount,
  responses,
  responsesCount,
  streamGenerateContent,
  type CountOperation,
} from '@weir/rollout-engine';
import type { ModelRouters } from './app';
import type { Session } from './features/sessions';
import { createDriftCheck } from './features/trajectories';
import { createCountRoute, type CountRouteOptions } from './protocols/count-route';
import { createModelRoute, type ModelRouteOptions } from './protocols/model-route';
import { createProtocolRouter, streamGenerateContentPath } from './protocols/protocol-router';
import { pollEngineInfo } from './serving/engine-info-poller';
import { logModelFamily } from './serving/log-model-family';
import { openEngine } from './serving/open-engine';
import type { SetUpServing } from './serving';

const heartbeatMs = 5_000;

/** Creates the engine, the tokenizer and the protocols from the configuration. */
export const setUpServing: SetUpServing = async ({
  config,
  limits,
  recording,
  dataFolder,
  authenticate,
  readBody,
  initialWeights,
  currentAdapter,
  noteAdapterLoad,
  affinity,
  traceCall,
  logger,
  add,
}) => {
  const paths = {
    dataFolder,
    embeddedHostFile: path.join(__dirname, 'embedded-host.js'),
    contextTokens: limits.contextTokens,
    initialWeights,
    recording,
    noteAdapterLoad,
  };
  const { engine, tokenizer, weights, adapters } = await openEngine(config, paths);
  const control = createGenerationControl(engine, { initialVersion: initialWeights.version, currentAdapter });
  add({ name: 'inference engine', stop: () => control.stop() });
  add({ name: 'tokenizer', stop: () => tokenizer.stop() });
  const engineInfo = add(await pollEngineInfo(control, logger));
  const model = createCompletionModel({
    engine: control,
    engineInfo: () => engineInfo.current(),
    tokenizer,
    toolParser: config.toolParser,
    reasoningParser: config.reasoningParser,
    reasoningRetention: config.reasoningRetention,
    limits: {
      defaultNewTokens: limits.completionTokens,
      maxNewTokens: limits.completionTokens,
      maxSessionTokens: limits.sessionTokens,
    },
    recording,
    expertShape: config.expertShape,
  });
  const { runCompletion, prompts } = model;
  logModelFamily(model.formats, logger);
  add({ name: 'prompt builder', stop: () => model.stop() });
  const scorers = new Map(
    config.scorers.map(({ name, kind, url }) => {
      const encode = (text: string) => tokenizer.encode(text, { control: true });
      const apiKey = config.scorerApiKey === undefined ? {} : { apiKey: config.scorerApiKey.reveal() };
      const scorer = createHttpScorer({ kind, url, encode, ...apiKey });
      add({ name: `scorer ${name}`, stop: () => scorer.stop() });
      return [name, scorer];
    }),
  );
  const checkDrift = createDriftCheck({ prompts, tokenizer });
  const route = { authenticate, readBody, runCompletion, logger, heartbeatMs, affinity, traceCall };
  return {
    models: createModelRouters(route, (messages, tools) => prompts.count(messages, tools)),
    engine: control,
    weights,
    adapters,
    checkDrift,
    scorers,
    tokenTable: tokenizer,
    modelName: toModelName(config.model),
    notReady: () => (engineInfo.isKnown ? undefined : 'The inference engine has not been reached yet.'),
  };
};

function createModelRouters(
  route: ModelRouteOptions<Session>,
  count: CountRouteOptions<Session>['count'],
): ModelRouters {
  const counting = (operation: CountOperation) => ({
    [operation.path]: createCountRoute(operation, { ...route, count }),
  });
  return {
    chatCompletions: createProtocolRouter(chatCompletions, route),
    completions: createProtocolRouter(completions, route),
    responses: createProtocolRouter(responses, route, counting(responsesCount)),
    messages: createProtocolRouter(messages, route, counting(messagesCount)),
    generateContent: createProtocolRouter(generateContent, route, {
      [streamGenerateContentPath]: createModelRoute(streamGenerateContent, route),
      ...counting(generateContentCount),
    }),
  };
}

function toModelName(model: string | undefined): string {
  return model === undefined ? 'weir-tiny' : path.basename(model, '.gguf');
}
