// The worker that has no database, and does not load one.
export { serveRemoteWorker } from '../commands/serve/serve-remote-worker';
