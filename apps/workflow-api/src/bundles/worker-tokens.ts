// What gives and takes the rights of workers.
export { createToken, listTokens, revokeToken } from '../commands/worker-tokens/worker-tokens';
