// The tools for models are loaded with the first request of the Model Context Protocol.
export { createMcpHandler } from '@modelcontextprotocol/server';
export { createMcpServer } from '../mcp/create-mcp-server';
