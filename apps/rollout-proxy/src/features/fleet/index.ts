export { askSearch, askSessions, askStatus, withModels } from './ask-replica';
export { alone, type ChangesListener, type Fleet } from './fleet';
