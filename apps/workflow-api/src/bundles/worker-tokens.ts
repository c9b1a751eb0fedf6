// The commands that grant and revoke the rights of workers.
export { createToken, listTokens, revokeToken } from '../commands/worker-tokens/worker-tokens';
