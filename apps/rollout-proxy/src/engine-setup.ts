import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createGenerationControl } from './engine/generation-control';
import { createDriftCheck } from './features/trajectories';
import { createPromptBuilder } from './prompt/create-prompt-builder';
import type { PromptBuilder } from './prompt/prompt-builder';
import { chatCompletions } from './protocols/chat-completions';
import { messages } from './protocols/messages';
import { countTokensPath, createCountRoute, type CountRouteOptions } from './protocols/messages/count-tokens-route';
import { createProtocolRouter } from './protocols/protocol-router';
import { responses } from './protocols/responses';
import { hidesMarks, reasoningParserFor, toolParserFor } from './serving/choose-parsers';
import { learnFacts } from './serving/known-facts';
import { openEngine } from './serving/open-engine';
import type { SetUpServing } from './serving';
import { createTurnRunner } from './turns/run-turn';

const heartbeatMs = 5_000;
const idBytes = 15;
const newId = () => randomBytes(idBytes).toString('hex');

/** Makes engine, tokenizer and protocols of the configuration. */
export const setUpServing: SetUpServing = async ({
  config,
  limits,
  dataFolder,
  authenticate,
  readBody,
  initialVersion,
  logger,
  add,
}) => {
  const places = {
    dataFolder,
    embeddedHostFile: path.join(__dirname, 'embedded-host.js'),
    contextTokens: limits.contextTokens,
  };
  const { engine, tokenizer } = await openEngine(config, places);
  const control = createGenerationControl(engine, { initialVersion });
  add({ name: 'inference engine', stop: () => control.stop() });
  add({ name: 'tokenizer', stop: () => tokenizer.stop() });
  const facts = add(await learnFacts(control, logger));
  const prompts = createPromptBuilder({
    tokenizer,
    retention: config.reasoningRetention,
    ...(tokenizer.addedTokens === undefined ? {} : { addedTokens: tokenizer.addedTokens }),
  });
  add({ name: 'prompt builder', stop: () => prompts.stop() });
  const checkDrift = createDriftCheck({ prompts, tokenizer });
  const toolParser = config.toolParser ?? toolParserFor(tokenizer.chatTemplate);
  const reasoningParser = config.reasoningParser ?? reasoningParserFor(tokenizer.chatTemplate);
  const runTurn = createTurnRunner({
    engine: control,
    facts: () => facts.current(),
    tokenizer,
    prompts,
    toolParser,
    reasoningParser,
    showsControl: hidesMarks(tokenizer, toolParser, reasoningParser),
    limits: {
      defaultNewTokens: limits.turnTokens,
      maxNewTokens: limits.turnTokens,
      maxSessionTokens: limits.sessionTokens,
    },
    now: () => new Date(),
    newId,
  });
  const count = promptCounter(prompts);
  const route = { authenticate, readBody, runTurn, logger, heartbeatMs };
  return {
    models: {
      chatCompletions: createProtocolRouter(chatCompletions, route),
      responses: createProtocolRouter(responses, route),
      messages: createProtocolRouter(messages, route, { [countTokensPath]: createCountRoute({ ...route, count }) }),
    },
    engine: control,
    checkDrift,
    modelName: modelNameOf(config.model),
    notReady: () => (facts.isKnown ? undefined : 'The inference engine has not been reached yet.'),
  };
};

function promptCounter(prompts: PromptBuilder): CountRouteOptions['count'] {
  return async (counted, tools) => {
    const prompt = await prompts.build({ messages: counted, newMessages: counted, tools, templateArguments: {} });
    return prompt.ids.length;
  };
}

function modelNameOf(model: string | undefined): string {
  return model === undefined ? 'weir-tiny' : path.basename(model, '.gguf');
}
