export { createArrivedObjects, type ArrivedObjects } from './arrived-objects';
export { bindEventRoutes } from './event-routes';
export { FileTriggers } from './file-triggers';
export { explainFiles, type FileExplainDependencies } from './explain-files';
