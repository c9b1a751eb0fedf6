// The tools of the agent and the application that they call are loaded at their first use.
export { createApp } from '../app';
export { listAgentTools } from '../features/agent/agent-tools';
