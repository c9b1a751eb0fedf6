export { createJsRunner } from './js-runner';
export type { JsRunner } from './js-pool';
