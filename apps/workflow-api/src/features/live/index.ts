export { createFeedSource, type FeedSourceDependencies } from './feed-source';
export { createLiveHub } from './live-hub';
export { bindLiveRoutes } from './live-routes';
export { collectOperations, type Operations } from './operation-calls';
export { readQueryToken } from './query-token';
