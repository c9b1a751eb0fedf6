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
