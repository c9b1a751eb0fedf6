export { loadConfig, variables, type Config, type EngineConfig, type Limits } from './load-config';
