export {
  loadConfig,
  variables,
  type Config,
  type EngineConfig,
  type Limits,
  type TracingConfig,
  type ReplicasConfig,
} from './load-config';
export { findPrice, type Prices } from './prices';
