export { byteTokenizerFolder, encode, endId, toByteIds, toText, vocabularySize } from './byte-tokenizer';
export { startFakeEngine } from './start-fake-engine';
export type {
  FakeAnswer,
  FakeCall,
  FakeEngine,
  FakeEngineDialect,
  FakeEngineOptions,
  FakeEngineRequest,
  FakeFaults,
  FakeScript,
} from './fake-engine-types';
export { promptLogprob } from './fake-dialects';
export { expertId } from './fake-experts';
