export {
  createEmbeddedEngine,
  type EmbeddedEngine,
  type EmbeddedEngineOptions,
  type RescoreRequest,
} from './embedded-engine';
export { createEmbeddedHost, type EmbeddedHost, type EmbeddedHostOptions } from './embedded-host';
export { assertEmbeddedLibrary } from './embedded-library';
export { createEmbeddedTokenizer } from './embedded-tokenizer';
export { writeTinyModel, type TinyModel } from './model/tiny-model';
