export { rolloutOpenApi } from './document';
