export { findingsPage } from './findings-page';
export { languageTables } from './language-tables';
