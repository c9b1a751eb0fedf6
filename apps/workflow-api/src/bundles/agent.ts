// The tools of the agent and the application that they call, loaded when they are asked for first.
export { createApp } from '../app';
export { listAgentTools } from '../features/agent/agent-tools';
