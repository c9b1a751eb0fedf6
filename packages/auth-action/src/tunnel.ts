// A separate bundle, which the transport loads only behind a proxy.
export { createTunnel } from './cloud/create-tunnel';
