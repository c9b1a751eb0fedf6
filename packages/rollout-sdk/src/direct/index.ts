export { createDirectClient, type DirectClient, type DirectMethods } from './direct-client';
export { type DirectInteraction, type ExportStyle } from './export-interactions';
export { openDirectModel, type DirectModel, type DirectModelOptions } from './open-direct-model';
