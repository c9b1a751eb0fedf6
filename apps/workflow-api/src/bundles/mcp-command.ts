// The command that serves the tools for models.
export { serveMcpOverStdio } from '../commands/mcp/serve-mcp-over-stdio';
