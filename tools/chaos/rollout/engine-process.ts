// An engine in a separate process that can be killed: `engine-process.ts <port> <end id>`.
import { startFakeEngine } from '@weir/fake-engine';
import { scriptedAnswer } from './scripted-answer';

const [port = 0, endId = 0] = process.argv.slice(2).map(Number);

void startFakeEngine({
  dialect: 'sglang',
  port,
  vocabularySize: 600,
  script: ({ promptIds, maxNewTokens }) => ({
    ids: scriptedAnswer(promptIds, endId).slice(0, maxNewTokens),
    // Slow, so that calls are in flight when it is killed.
    byteByByte: true,
  }),
}).then(({ url }) => console.log(`engine: ${url}`));
