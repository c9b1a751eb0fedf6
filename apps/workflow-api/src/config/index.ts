export { loadConfig, variables, type Config, type HostInfo } from './load-config';
