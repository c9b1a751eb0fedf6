export { refuseCrossSite, refuseForeignHost } from './cross-site';
export { createHostRules, type HostRules } from './host-rules';
