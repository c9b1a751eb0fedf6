export { createAdapterBook, type AdapterBook } from './adapter-book';
export { startAdapterRelease } from './adapter-release';
export { bindAdapterRoutes, type AdapterRoutesOptions } from './adapter-routes';
export { maxStoredAdapters, toAdapterStore, type AdapterStore } from './adapter-store';
export { createAdapters, type Adapters } from './adapters';
export { createLoadedAdapters, type LoadedAdapters } from './loaded-adapters';
