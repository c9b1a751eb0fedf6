export { createThreadHeartbeat } from './thread-heartbeat';
