// The commands that grant and revoke the rights of workers.
export { createServerToken, listServerTokens, revokeServerToken } from '../commands/worker-tokens/server-tokens';
export { createToken, listTokens, revokeToken } from '../commands/worker-tokens/worker-tokens';
