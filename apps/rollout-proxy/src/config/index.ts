export { loadConfig, variables, type Config, type EngineConfig, type Limits, type ReplicasConfig } from './load-config';
