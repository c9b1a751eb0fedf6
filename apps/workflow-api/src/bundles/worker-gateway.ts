// Loaded when a worker without a database calls for the first time.
export { createWorkerGateway } from '../features/worker-gateway/worker-gateway';
