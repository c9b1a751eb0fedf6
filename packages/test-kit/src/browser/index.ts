export { findInaccessible, findPoorContrast } from './accessibility';
export { findFormProblems } from './find-form-problems';
export { launchBrowser } from './launch-browser';
export { notPainted, reduceColors, type ReducedColors } from './reduce-colors';
export { createProfile, openPage, openPageOf, type OpenedPage, type PageOptions } from './open-page';
